import type { RelayedTrack, RelayEvent, TransportState } from '@rtms/contracts';
import type { PublishedTrack, SentTrack, ViewerTransport } from '../media/media-engine.js';
import type { ReceiverCapabilities } from '../media/rtp-parameters.js';

/** What its owner is told of a viewer. */
export type ViewerNews =
  | Pick<Extract<RelayEvent, { type: 'viewer.state' }>, 'type' | 'state'>
  | Pick<Extract<RelayEvent, { type: 'viewer.layers' }>, 'type' | 'sentID' | 'layers'>;

interface FollowedTrack {
  sent: SentTrack;
  mid: string;
  unfollow: () => void;
}

/** A viewer of another node's room whose connection is here. */
export class HostedViewer {
  private readonly sent = new Map<string, FollowedTrack>();

  constructor(
    readonly transport: ViewerTransport,
    /** ms since 1970. */
    readonly openedAt: number,
    private readonly tell: (news: ViewerNews) => void,
  ) {
    transport.onStateChange(state => {
      if (state === 'closed') for (const sentID of [...this.sent.keys()]) this.forget(sentID);
      tell({ type: 'viewer.state', state });
    });
  }

  get state(): TransportState {
    return this.transport.state;
  }

  async send(
    sentID: string,
    track: PublishedTrack,
    capabilities: ReceiverCapabilities,
  ): Promise<RelayedTrack | undefined> {
    const sent = this.sentTrack(sentID) ?? (await this.transport.send(track, capabilities));
    if (!sent) return undefined;
    if (!this.sent.has(sentID)) this.follow(sentID, sent, track, capabilities.mid);
    const { rtpParameters, layers } = sent;
    return { rtpParameters, layers };
  }

  sentTrack(sentID: string): SentTrack | undefined {
    return this.sent.get(sentID)?.sent;
  }

  async stopSending(sentID: string): Promise<void> {
    await this.forget(sentID)?.close();
  }

  close(): Promise<void> {
    return this.transport.close();
  }

  /** The one whose place it takes has been closed by the transport. */
  private follow(sentID: string, sent: SentTrack, track: PublishedTrack, mid: string): void {
    if (this.state === 'closed') return;
    for (const [formerID, former] of [...this.sent])
      if (former.mid === mid && former.sent.kind === sent.kind) this.forget(formerID);
    const unfollow = track.onEnded(() => this.sent.delete(sentID));
    if (track.state !== 'ended') this.sent.set(sentID, { sent, mid, unfollow });
    sent.onLayersChange(layers => this.tell({ type: 'viewer.layers', sentID, ...(layers && { layers }) }));
  }

  private forget(sentID: string): SentTrack | undefined {
    const known = this.sent.get(sentID);
    this.sent.delete(sentID);
    known?.unfollow();
    return known?.sent;
  }
}
