import type { Bus, Closeable } from '@rtms/bus';
import type { Clock } from '@rtms/clock';
import {
  type PayloadNumbers,
  type PipeEnd,
  relayCommands,
  type RelayEvent,
  type RelayMeasurement,
  type ServiceError,
} from '@rtms/contracts';
import type { Logger } from '@rtms/logging';
import { nanoid } from 'nanoid';
import { Listeners } from '../media/listeners.js';
import {
  closedError,
  type MeasuredViewer,
  type MediaRoom,
  type PublishedTrack,
  type RoomPipe,
  type TrackPipe,
} from '../media/media-engine.js';
import { SharedOpenings } from '../media/shared-openings.js';
import type { NodeLoads } from './node-loads.js';
import { type KeptRelay, type RelayKeeper, RelayLink, relayTimings } from './relay-link.js';
import { RelayedViewer } from './relayed-viewer.js';

/** ms. A node that media does not reach gets no viewers for this long. */
const avoidedFor = 60_000;

/** Less than the interval of samples: one answer of a relay is for all of its viewers. */
const measuredForMs = 5_000;

/** The services that an owner's relays share. */
export interface OwnerContext {
  /** Id of this node. */
  ownerID: string;
  bus: Bus;
  logger: Logger;
  clock: Clock;
  keeper: Pick<RelayKeeper, 'follow'>;
  nodes: Pick<NodeLoads, 'others' | 'noteFull' | 'avoid'>;
}

/** The owner's end of one relay of a room. */
export class RoomRelay implements KeptRelay, Closeable {
  private readonly viewers = new Map<string, RelayedViewer>();
  /** Ids of viewers that the relay is opening. */
  private readonly coming = new Set<string>();
  private readonly tracks: TrackPipes;
  private readonly closing = new Listeners<[]>();
  private readonly unfollow: () => void;
  private answeredAt: number;
  private measured: { at: number; answer: Promise<RelayMeasurement> } | undefined;
  private isClosed = false;

  private constructor(
    private readonly link: RelayLink,
    private readonly pipe: RoomPipe,
    private readonly remote: PipeEnd,
    private readonly context: OwnerContext,
  ) {
    this.answeredAt = context.clock.now();
    this.tracks = new TrackPipes(link, pipe, () => void this.keep());
    this.unfollow = context.keeper.follow(link.relayID, this);
    pipe.onClosed(() => void this.close());
  }

  /** Opens a relay on a node and a pipe to it. */
  static async open(nodeID: string, room: MediaRoom, context: OwnerContext): Promise<RoomRelay> {
    const link = new RelayLink(context.bus, context.logger, nodeID, `relay_${nanoid()}`);
    const { ownerID } = context;
    const pipe = await room.openPipe();
    try {
      const request = { ownerID, meetingID: room.meetingID, pipe: pipe.end };
      const { pipe: remote } = await link.ask(relayCommands.open, request);
      await pipe.connect(remote);
      return new RoomRelay(link, pipe, remote, context);
    } catch (error) {
      await pipe.close();
      link.tell(relayCommands.close, {});
      throw error;
    }
  }

  /** Calls `onClosed` once when the viewer ends for any reason. */
  async openViewer(numbers: PayloadNumbers | undefined, onClosed: () => void): Promise<RelayedViewer> {
    const viewerID = nanoid();
    this.coming.add(viewerID);
    try {
      const place = await this.link.ask(relayCommands.openViewer, { viewerID, ...(numbers && { numbers }) });
      if (this.isClosed) throw closedError();
      return this.admit(viewerID, place, onClosed);
    } catch (error) {
      this.link.tell(relayCommands.closeViewer, { viewerID });
      throw error;
    } finally {
      this.coming.delete(viewerID);
    }
  }

  onClosed(listener: () => void): void {
    if (this.isClosed) listener();
    else this.closing.add(listener);
  }

  hear(event: RelayEvent): void {
    switch (event.type) {
      case 'viewer.state':
        return this.viewers.get(event.viewerID)?.becomes(event.state);
      case 'viewer.layers':
        return this.viewers.get(event.viewerID)?.layersChange(event.sentID, event.layers);
      case 'dismissed':
        for (const viewer of this.viewers.values()) viewer.dismiss();
        return;
      case 'ended':
        void this.closeNow();
    }
  }

  /** Asks the relay once for all of its viewers. Rejects while the relay does not answer, or is of an earlier version. */
  async measure(viewerID: string): Promise<MeasuredViewer | undefined> {
    const now = this.context.clock.now();
    if (!this.measured || now - this.measured.at >= measuredForMs)
      this.measured = { at: now, answer: this.link.ask(relayCommands.measure, {}) };
    const { node, viewers, tracks } = await this.measured.answer;
    const viewer = viewers[viewerID];
    return viewer && { ...viewer, relay: { nodeID: this.link.nodeID, node, arrival: tracks[viewer.trackID] } };
  }

  /** Sends the wanted viewers and tracks, and applies the states that the relay returns. */
  async keep(): Promise<void> {
    const asked = [...this.viewers.values()];
    const viewerIDs = [...this.viewers.keys(), ...this.coming];
    try {
      const wanted = { viewerIDs, tracks: this.tracks.list() };
      const { viewers, silent } = await this.link.ask(relayCommands.keep, wanted);
      this.answeredAt = this.context.clock.now();
      const states = new Map(viewers.map(({ viewerID, state }) => [viewerID, state]));
      for (const viewer of asked) viewer.becomes(states.get(viewer.viewerID) ?? 'closed');
      await this.missMedia(silent);
    } catch (error) {
      await this.missAnswer(error as ServiceError);
    }
  }

  async close(): Promise<void> {
    if (this.isClosed) return;
    this.link.tell(relayCommands.close, {});
    await this.closeNow();
  }

  private admit(
    viewerID: string,
    place: Pick<RelayedViewer, 'ice' | 'fingerprints'>,
    onClosed: () => void,
  ): RelayedViewer {
    const { link, tracks } = this;
    const leave = (): void => {
      this.viewers.delete(viewerID);
      onClosed();
    };
    const measure = () => this.measure(viewerID);
    const viewer = new RelayedViewer({ viewerID, link, tracks, ...place, measure, onClosed: leave });
    this.viewers.set(viewerID, viewer);
    return viewer;
  }

  /** Gives up a relay that has not answered for the time of a lease. Waits while this node has no bus. */
  private async missAnswer({ reason }: ServiceError): Promise<void> {
    const { bus, clock } = this.context;
    if (!bus.isConnected()) this.answeredAt = clock.now();
    const isLapsed = clock.now() - this.answeredAt > relayTimings.lapseAfterMs;
    if ((reason !== 'not_found' && !isLapsed) || this.isClosed) return;
    const { nodeID, relayID } = this.link;
    this.context.logger.warn(
      { nodeID, relayID, reason, viewers: this.viewers.size },
      'giving up a relay that does not answer',
    );
    await this.close();
  }

  /** Gives up a relay that media does not reach, because an address is wrong or a firewall blocks it. */
  private async missMedia(silent: readonly string[]): Promise<void> {
    const { nodes, logger, clock } = this.context;
    const trackID = this.tracks.findMissed(silent, clock.now());
    if (trackID === undefined || this.isClosed) return;
    const { nodeID, relayID } = this.link;
    const [from, to] = [this.pipe.end, this.remote].map(({ address, port }) => ({ address, port }));
    logger.warn(
      { nodeID, relayID, trackID, from, to },
      'media does not reach a relay; check RELAY_ANNOUNCED_ADDRESS and the firewall',
    );
    nodes.avoid(nodeID, avoidedFor);
    await this.close();
  }

  private async closeNow(): Promise<void> {
    if (this.isClosed) return;
    this.isClosed = true;
    this.unfollow();
    for (const viewer of [...this.viewers.values()]) viewer.closeNow();
    await this.pipe.close();
    this.closing.emit();
  }
}

/** ms. The owner itself must have received packets within this time, else the relay is not at fault. */
const arrivesWithin = 2_000;

interface SentPipe {
  pipe: TrackPipe;
  /** ms since 1970; undefined if the relay receives the track. */
  missedSince?: number | undefined;
}

/** The tracks in the pipe to a relay. Sends each track once, while at least one viewer of the relay needs it. */
export class TrackPipes {
  private readonly sent = new SharedOpenings<PublishedTrack, SentPipe>({
    close: ({ pipe }) => pipe.close(),
    onEnded: ({ pipe }, listener) => pipe.onEnded(listener),
  });
  /** Includes tracks that the relay is still opening. */
  private readonly pipes = new WeakMap<PublishedTrack, TrackPipe>();

  constructor(
    private readonly link: RelayLink,
    private readonly pipe: RoomPipe,
    private readonly onPaused: () => void,
  ) {}

  /** Resolves once the relay has the track. Returns an idempotent function that releases it. */
  async acquire(track: PublishedTrack): Promise<() => void> {
    return (await this.sent.acquire(track, () => this.send(track))).release;
  }

  list(): { trackID: string; paused: boolean }[] {
    return this.sent.keys().map(track => ({ trackID: track.trackID, paused: this.pipes.get(track)?.paused ?? false }));
  }

  /** `silent`: ids of tracks of which the relay received nothing. Returns a track that is overdue by `silentAfterMs`. */
  findMissed(silent: readonly string[], now: number): string | undefined {
    const silentIDs = new Set(silent);
    for (const [track, sent] of this.sent.entries()) {
      const isMissed = silentIDs.has(track.trackID) && sent.pipe.hasSent && isArriving(track, now);
      sent.missedSince = isMissed ? (sent.missedSince ?? now) : undefined;
      if (sent.missedSince !== undefined && now - sent.missedSince >= relayTimings.silentAfterMs) return track.trackID;
    }
    return undefined;
  }

  private async send(track: PublishedTrack): Promise<SentPipe> {
    const pipeID = nanoid();
    const { trackID } = track;
    const pipe = await this.pipe.send(track);
    this.pipes.set(track, pipe);
    pipe.onPaused(() => this.onPaused());
    pipe.onEnded(() => this.link.tell(relayCommands.closeTrack, { pipeID, trackID }));
    try {
      await this.link.ask(relayCommands.openTrack, { pipeID, track: pipe.track });
      return { pipe };
    } catch (error) {
      await pipe.close();
      throw error;
    }
  }
}

function isArriving(track: PublishedTrack, now: number): boolean {
  const at = track.lastReceivedAt();
  return track.state === 'live' && at !== undefined && now - at < arrivesWithin;
}
