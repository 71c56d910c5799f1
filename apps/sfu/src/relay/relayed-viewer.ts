import { nanoid } from 'nanoid';
import {
  type MediaKind,
  type NodeCommand,
  type PreferredLayers,
  type ReceiverCapabilities,
  relayCommands,
  type RelayedTrack,
  type RtpParameters,
} from '@rtms/contracts';
import { Listeners } from '../media/listeners.js';
import {
  closedError,
  type DtlsRole,
  type Fingerprint,
  type LocalIce,
  type MeasuredViewer,
  type PublishedTrack,
  type SentTrack,
  type TransportState,
  type ViewerTransport,
} from '../media/media-engine.js';
import type { RelayLink } from './relay-link.js';
import type { TrackPipes } from './room-relay.js';

interface RelayedViewerOptions {
  viewerID: string;
  link: RelayLink;
  tracks: TrackPipes;
  ice: LocalIce;
  fingerprints: Fingerprint[];
  measure: () => Promise<MeasuredViewer | undefined>;
  onClosed: () => void;
}

/** A viewer whose connection is on a relay node. This node sends the commands for it. */
export class RelayedViewer implements ViewerTransport {
  readonly viewerID: string;
  readonly fingerprints: Fingerprint[];
  private currentIce: LocalIce;
  private currentState: TransportState = 'new';
  private readonly sent = new Map<string, RelayedSentTrack>();
  private readonly stateChange = new Listeners<[TransportState]>();
  private readonly dismissal = new Listeners<[]>();

  constructor(private readonly options: RelayedViewerOptions) {
    this.viewerID = options.viewerID;
    this.currentIce = options.ice;
    this.fingerprints = options.fingerprints;
  }

  get nodeID(): string {
    return this.options.link.nodeID;
  }

  get ice(): LocalIce {
    return this.currentIce;
  }

  get state(): TransportState {
    return this.currentState;
  }

  async connect(remote: { role: DtlsRole; fingerprints: Fingerprint[] }): Promise<void> {
    await this.ask(relayCommands.connectViewer, remote);
  }

  async restartIce(): Promise<LocalIce> {
    const { ice } = await this.ask(relayCommands.restartIce, {});
    this.currentIce = ice;
    return ice;
  }

  async send(track: PublishedTrack, capabilities: ReceiverCapabilities): Promise<SentTrack | undefined> {
    this.assertOpen();
    const { tracks } = this.options;
    const release = await tracks.acquire(track);
    try {
      const sent = await this.sendAcquired(track, capabilities, release);
      if (!sent) release();
      return sent;
    } catch (error) {
      release();
      throw error;
    }
  }

  measure(): Promise<MeasuredViewer | undefined> {
    return this.options.measure();
  }

  async start(): Promise<void> {
    await this.ask(relayCommands.startViewer, {});
  }

  onStateChange(listener: (state: TransportState) => void): void {
    this.stateChange.add(listener);
  }

  onDismissed(listener: () => void): void {
    this.dismissal.add(listener);
  }

  async close(): Promise<void> {
    if (this.currentState === 'closed') return;
    this.options.link.tell(relayCommands.closeViewer, { viewerID: this.viewerID });
    this.closeNow();
  }

  /** Applies a state that the relay reported. */
  becomes(state: TransportState): void {
    if (state === 'closed') this.closeNow();
    else if (state !== 'new') this.moveTo(state);
  }

  layersChange(sentID: string, layers: PreferredLayers | undefined): void {
    this.sent.get(sentID)?.arrive(layers);
  }

  dismiss(): void {
    this.dismissal.emit();
  }

  /** The relay has closed it or has ended. */
  closeNow(): void {
    if (this.currentState === 'closed') return;
    for (const sent of [...this.sent.values()]) sent.closeNow();
    this.options.onClosed();
    this.moveTo('closed');
    this.stateChange.clear();
    this.dismissal.clear();
  }

  private async sendAcquired(
    track: PublishedTrack,
    capabilities: ReceiverCapabilities,
    release: () => void,
  ): Promise<SentTrack | undefined> {
    const sentID = nanoid();
    const { trackID } = track;
    const { sent: answer } = await this.ask(relayCommands.send, { sentID, trackID, capabilities });
    if (!answer) return undefined;
    if (track.state === 'ended') throw closedError();
    const { kind, mid } = capabilities;
    // The relay has closed the former track of the same kind and mid.
    [...this.sent.values()].find(former => former.kind === kind && former.mid === mid)?.closeNow();
    const { link } = this.options;
    const named = { viewerID: this.viewerID, sentID };
    let unfollow = (): void => undefined;
    const sent = new RelayedSentTrack({
      track,
      mid,
      answer,
      prefer: async layers => void (await link.ask(relayCommands.prefer, { ...named, ...(layers && { layers }) })),
      stop: () => link.tell(relayCommands.stopSending, named),
      onClosed: () => {
        unfollow();
        this.sent.delete(sentID);
        release();
      },
    });
    this.sent.set(sentID, sent);
    unfollow = track.onEnded(() => sent.closeNow());
    return sent;
  }

  private async ask<Request extends { relayID: string; viewerID: string }, Reply>(
    command: NodeCommand<Request, Reply>,
    request: Omit<Request, 'relayID' | 'viewerID'>,
  ): Promise<Reply> {
    this.assertOpen();
    const whole = { ...request, viewerID: this.viewerID } as unknown as Omit<Request, 'relayID'>;
    const reply = await this.options.link.ask(command, whole);
    this.assertOpen();
    return reply;
  }

  private assertOpen(): void {
    if (this.currentState === 'closed') throw closedError();
  }

  private moveTo(state: TransportState): void {
    if (this.currentState === state || this.currentState === 'closed') return;
    this.currentState = state;
    this.stateChange.emit(state);
  }
}

interface RelayedSentTrackOptions {
  track: PublishedTrack;
  mid: string;
  answer: RelayedTrack;
  /** Limits the layers. */
  prefer: (layers: PreferredLayers | undefined) => Promise<void>;
  /** Sends `stopSending` to the relay. */
  stop: () => void;
  onClosed: () => void;
}

/** A track that a viewer on another node receives. */
class RelayedSentTrack implements SentTrack {
  private readonly layersChange = new Listeners<[PreferredLayers | undefined]>();
  private isClosed = false;

  constructor(private readonly options: RelayedSentTrackOptions) {}

  get trackID(): string {
    return this.options.track.trackID;
  }

  get kind(): MediaKind {
    return this.options.track.kind;
  }

  get mid(): string {
    return this.options.mid;
  }

  get rtpParameters(): RtpParameters {
    return this.options.answer.rtpParameters;
  }

  get layers(): SentTrack['layers'] {
    return this.options.answer.layers;
  }

  async prefer(layers: PreferredLayers | undefined): Promise<void> {
    if (!this.isClosed) await this.options.prefer(layers);
  }

  onLayersChange(listener: (layers: PreferredLayers | undefined) => void): void {
    this.layersChange.add(listener);
  }

  /** Other layers arrive at the viewer. */
  arrive(layers: PreferredLayers | undefined): void {
    this.layersChange.emit(layers);
  }

  async close(): Promise<void> {
    if (this.isClosed) return;
    this.options.stop();
    this.closeNow();
  }

  /** The relay has closed it or has ended. */
  closeNow(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.options.onClosed();
  }
}
