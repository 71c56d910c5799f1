import type { Closeable } from '@rtms/bus';
import type { Clock } from '@rtms/clock';
import {
  type PayloadNumbers,
  type PipedTrack,
  type PipeEnd,
  type ReceiverCapabilities,
  type RelayedTrack,
  type RelayMeasurement,
  type RelayEvent,
  ServiceError,
  type TransportState,
} from '@rtms/contracts';
import { SerialQueue } from '@rtms/node';
import { readAll } from '../media/media-statistics.js';
import {
  type MediaEngine,
  type MediaRoom,
  type PublishedTrack,
  type RoomPipe,
  type SentTrack,
  type ViewerTransport,
  workersFullError,
} from '../media/media-engine.js';

/** A measured viewer has about 250 bytes as JSON, and NATS allows 1 MB a message. */
const mostMeasured = 2_000;

interface HostedTrack {
  /** Id of the owner's sending pipe. Another pipe uses other SSRCs. */
  pipeID: string;
  track: Promise<PublishedTrack>;
  openedAt: number;
}

/** The complete list of viewers and tracks that the owner wants on this relay. */
interface WantedRelay {
  viewerIDs: string[];
  tracks: { trackID: string; paused: boolean }[];
}

/** A relay of another node's room: a room without publishers that receives its tracks through a pipe. */
export class HostedRelay implements Closeable {
  /** When the owner last sent `keep`, or when this node last had no bus. In ms since 1970. */
  keptAt: number;
  private readonly tracks = new Map<string, HostedTrack>();
  private readonly viewers = new Map<string, Promise<HostedViewer>>();
  private readonly open = new Map<string, HostedViewer>();
  private readonly keeping = new SerialQueue();

  private constructor(
    readonly ownerID: string,
    private readonly room: MediaRoom,
    private readonly pipe: RoomPipe,
    private readonly clock: Clock,
    private readonly tell: (viewerID: string, event: ViewerEventBody) => void,
  ) {
    this.keptAt = clock.now();
  }

  static async open(
    engine: MediaEngine,
    { relayID, ownerID, pipe: remote }: { relayID: string; ownerID: string; pipe: PipeEnd },
    clock: Clock,
    tell: (viewerID: string, event: ViewerEventBody) => void,
  ): Promise<HostedRelay> {
    const room = await engine.openRoom(relayID);
    try {
      const pipe = await room.openPipe();
      await pipe.connect(remote);
      return new HostedRelay(ownerID, room, pipe, clock, tell);
    } catch (error) {
      await room.close();
      throw error;
    }
  }

  get end(): PipeEnd {
    return this.pipe.end;
  }

  get viewerCount(): number {
    return this.open.size;
  }

  /** Calls back once, also when the media worker dies. */
  onClosed(listener: () => void): void {
    this.pipe.onClosed(listener);
  }

  /** Receives a track. Closes a track of the same id from a former pipe whose end was not reported. */
  async openTrack(piped: PipedTrack, pipeID: string): Promise<void> {
    const { trackID } = piped;
    const former = this.tracks.get(trackID);
    if (former && former.pipeID !== pipeID) await this.closeTrack(trackID, former.pipeID);
    const opening = (): HostedTrack => ({ pipeID, track: this.pipe.receive(piped), openedAt: this.clock.now() });
    const hosted = this.tracks.get(trackID) ?? opening();
    this.tracks.set(trackID, hosted);
    await hosted.track.catch((error: unknown) => {
      if (this.tracks.get(trackID) === hosted) this.tracks.delete(trackID);
      throw error;
    });
  }

  /** Does nothing if the track now arrives through another pipe. */
  async closeTrack(trackID: string, pipeID: string): Promise<void> {
    const known = this.tracks.get(trackID);
    if (known?.pipeID !== pipeID) return;
    this.tracks.delete(trackID);
    await (await known.track.catch(() => undefined))?.close();
  }

  async track(trackID: string): Promise<PublishedTrack> {
    const known = this.tracks.get(trackID);
    if (!known) throw new ServiceError('not_found', 'This relay has no track with this trackID.');
    return known.track;
  }

  /** Throws `capacity_reached` if the worker is full. Only a room's owner node uses the reserved tracks. */
  async openViewer(viewerID: string, numbers: PayloadNumbers | undefined): Promise<HostedViewer> {
    const opening = this.viewers.get(viewerID) ?? this.admit(viewerID, numbers);
    this.viewers.set(viewerID, opening);
    return opening.catch((error: unknown) => {
      this.viewers.delete(viewerID);
      throw error;
    });
  }

  viewer(viewerID: string): HostedViewer {
    const viewer = this.open.get(viewerID);
    if (!viewer) throw new ServiceError('not_found', 'This relay has no viewer with this viewerID.');
    return viewer;
  }

  async closeViewer(viewerID: string): Promise<void> {
    await (await this.viewers.get(viewerID)?.catch(() => undefined))?.close();
  }

  /** Closes viewers and tracks that are not in the list, except those that were opened after the owner made the list. */
  keep(wanted: WantedRelay, graceMs: number): Promise<void> {
    const now = this.clock.now();
    this.keptAt = now;
    return this.keeping.run(() => this.comply(wanted, now - graceMs));
  }

  states(): { viewerID: string; state: TransportState }[] {
    return [...this.open].map(([viewerID, { state }]) => ({ viewerID, state }));
  }

  /** Ids of live tracks that have received nothing yet. */
  async silent(): Promise<string[]> {
    const opened = await Promise.all([...this.tracks.values()].map(({ track }) => track.catch(() => undefined)));
    return opened.flatMap(track =>
      track?.state === 'live' && track.lastReceivedAt() === undefined ? track.trackID : [],
    );
  }

  /** Measures viewers and tracks a few at a time, so that a worker answers other requests between them. */
  async measure(): Promise<Omit<RelayMeasurement, 'node'>> {
    const viewers: RelayMeasurement['viewers'] = {};
    const measured = [...this.open].slice(0, mostMeasured);
    await readAll(measured, async ([viewerID, { transport }]) => {
      const measurement = await transport.measure().catch(() => undefined);
      if (measurement) viewers[viewerID] = measurement;
    });
    const tracks: RelayMeasurement['tracks'] = {};
    await readAll([...this.tracks], async ([trackID, { track }]) => {
      const arrival = await track.then(each => each.arrival()).catch(() => undefined);
      if (arrival) tracks[trackID] = arrival;
    });
    return { viewers, tracks };
  }

  async close(): Promise<void> {
    await this.room.close();
  }

  private async comply({ viewerIDs, tracks }: WantedRelay, since: number): Promise<void> {
    const wantedViewers = new Set(viewerIDs);
    for (const [viewerID, viewer] of [...this.open])
      if (viewer.openedAt < since && !wantedViewers.has(viewerID)) await viewer.close();
    for (const [trackID, { pipeID, track, openedAt }] of [...this.tracks]) {
      const wanted = tracks.find(each => each.trackID === trackID);
      if (wanted) await setPaused(await track.catch(() => undefined), wanted.paused);
      else if (openedAt < since) await this.closeTrack(trackID, pipeID);
    }
  }

  private async admit(viewerID: string, numbers: PayloadNumbers | undefined): Promise<HostedViewer> {
    if (!this.room.hasPlaceForViewer) throw workersFullError();
    const transport = await this.room.openViewer(numbers);
    const viewer = new HostedViewer(transport, this.clock.now(), event => this.tell(viewerID, event));
    this.open.set(viewerID, viewer);
    transport.onStateChange(state => {
      if (state !== 'closed') return;
      this.open.delete(viewerID);
      this.viewers.delete(viewerID);
    });
    return viewer;
  }
}

async function setPaused(track: PublishedTrack | undefined, paused: boolean): Promise<void> {
  if (!track || (track.state === 'paused') === paused) return;
  await (paused ? track.pause() : track.resume());
}

/** The events of a viewer for its owner. */
type ViewerEventBody =
  | Pick<Extract<RelayEvent, { type: 'viewer.state' }>, 'type' | 'state'>
  | Pick<Extract<RelayEvent, { type: 'viewer.layers' }>, 'type' | 'sentID' | 'layers'>;

interface FollowedTrack {
  sent: SentTrack;
  mid: string;
  unfollow: () => void;
}

/** A viewer of another node's room whose connection is on this node. */
export class HostedViewer {
  private readonly sent = new Map<string, FollowedTrack>();

  constructor(
    readonly transport: ViewerTransport,
    /** ms since 1970. */
    readonly openedAt: number,
    private readonly tell: (event: ViewerEventBody) => void,
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

  /** Forgets the former track of the same kind and mid, which the transport has closed. */
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
