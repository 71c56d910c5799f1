import type { RelayedTrack, RelayEvent, TransportState } from '@rtms/contracts';
import type { PublishedTrack, SentTrack, ViewerTransport } from '../media/media-engine.js';
import type { ReceiverCapabilities } from '../media/rtp-parameters.js';

/** What its owner is told of a viewer. */
export type ViewerNews =
  | Pick<Extract<RelayEvent, { type: 'viewer.state' }>, 'type' | 'state'>
  | Pick<Extract<RelayEvent, { type: 'viewer.layers' }>, 'type' | 'sentID' | 'layers'>;

/** A viewer of another node's room whose connection is here. */
export class HostedViewer {
  readonly openedAt = Date.now();
  private readonly sent = new Map<string, SentTrack>();

  constructor(
    readonly transport: ViewerTransport,
    private readonly tell: (news: ViewerNews) => void,
  ) {
    transport.onStateChange(state => tell({ type: 'viewer.state', state }));
  }

  get state(): TransportState {
    return this.transport.state;
  }

  async send(
    sentID: string,
    track: PublishedTrack,
    capabilities: ReceiverCapabilities,
  ): Promise<RelayedTrack | undefined> {
    const sent = this.sent.get(sentID) ?? (await this.transport.send(track, capabilities));
    if (!sent) return undefined;
    if (!this.sent.has(sentID)) this.follow(sentID, sent, track);
    const { rtpParameters, layers } = sent;
    return { rtpParameters, layers };
  }

  sentTrack(sentID: string): SentTrack | undefined {
    return this.sent.get(sentID);
  }

  async stopSending(sentID: string): Promise<void> {
    const sent = this.sent.get(sentID);
    this.sent.delete(sentID);
    await sent?.close();
  }

  close(): Promise<void> {
    return this.transport.close();
  }

  private follow(sentID: string, sent: SentTrack, track: PublishedTrack): void {
    this.sent.set(sentID, sent);
    track.onEnded(() => this.sent.delete(sentID));
    sent.onLayersChange(layers => this.tell({ type: 'viewer.layers', sentID, ...(layers && { layers }) }));
  }
}
