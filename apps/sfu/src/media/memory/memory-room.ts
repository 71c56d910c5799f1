import { randomInt } from 'node:crypto';
import type { Clock } from '@rtms/clock';
import type { FeedDestination, FeedTrack, RepairInput } from '@rtms/contracts';
import { ConsumerBudget, findPlace, type Placement, placeViewer, type WorkerLoad } from '../admission.js';
import {
  closedError,
  type InletSource,
  type MediaFeed,
  type MediaInlet,
  type MediaRoom,
  type PublishedTrack,
} from '../media-engine.js';
import { Listeners } from '../listeners.js';
import { describeFeedTrack, sentAs } from '../codecs.js';
import type { PayloadNumbers } from '../payload-numbers.js';
import { MemoryMembers } from './memory-members.js';
import { MemoryPipe } from './memory-pipe.js';
import { MemoryPublisher, MemoryTrack } from './memory-publisher.js';
import { MemoryViewer } from './memory-viewer.js';

function feedTrack(track: PublishedTrack): FeedTrack {
  const { payloadType } = sentAs(track.codec) ?? track.codec;
  return describeFeedTrack(track, { payloadType, ssrc: randomInt(1, 2 ** 31) });
}

export class MemoryFeed implements MediaFeed {
  readonly tracks: FeedTrack[];

  constructor(
    tracks: PublishedTrack[],
    readonly destinations: FeedDestination[],
    private readonly onClosed: () => void,
  ) {
    const wanted = tracks.filter(track => destinations.some(destination => destination.kind === track.kind));
    this.tracks = wanted.map(feedTrack);
  }

  async close(): Promise<void> {
    this.onClosed();
  }
}

/** The test plays the RTP of its tracks. */
export class MemoryInlet implements MediaInlet {
  readonly tracks: MemoryTrack[];
  readonly inputs: RepairInput[];

  constructor(
    readonly sources: InletSource[],
    clock: Clock,
    private readonly onClosed: () => void,
  ) {
    this.tracks = sources.map(({ kind, codec }) => new MemoryTrack({ clock, kind, codec }));
    this.inputs = sources.map(({ kind, codec: { payloadType } }, index) => {
      return { kind, ip: '127.0.0.1', port: 40_000 + index, payloadType, ssrc: randomInt(1, 2 ** 31) };
    });
  }

  async close(): Promise<void> {
    for (const track of this.tracks) await track.close();
    this.onClosed();
  }
}

export class MemoryRoom implements MediaRoom {
  readonly publishers = new Set<MemoryPublisher>();
  readonly viewers = new Set<MemoryViewer>();
  readonly feeds = new Set<MemoryFeed>();
  readonly pipes = new Set<MemoryPipe>();
  readonly inlets = new Set<MemoryInlet>();
  readonly members: MemoryMembers;
  closed = false;
  private readonly lost = new Listeners<[]>();

  constructor(
    readonly meetingID: string,
    readonly worker: MemoryWorker<MemoryRoom, MemoryViewer>,
    private readonly clock: Clock,
    private readonly workers: () => MemoryWorker<MemoryRoom, MemoryViewer>[],
  ) {
    this.members = new MemoryMembers({
      clock,
      assertOpen: () => this.assertOpen(),
      reserve: count => worker.budget.reserve(count),
    });
    worker.rooms.add(this);
  }

  async openPublisher(): Promise<MemoryPublisher> {
    this.assertOpen();
    const publisher: MemoryPublisher = new MemoryPublisher(() => this.publishers.delete(publisher), this.clock);
    this.publishers.add(publisher);
    return publisher;
  }

  get hasPlaceForViewer(): boolean {
    return findPlace(this.placement) !== undefined;
  }

  async openViewer(numbers?: PayloadNumbers): Promise<MemoryViewer> {
    this.assertOpen();
    const worker = placeViewer(this.placement);
    const onClosed = (): void => {
      this.viewers.delete(viewer);
      worker.viewers.delete(viewer);
    };
    const viewer: MemoryViewer = new MemoryViewer(onClosed, count => worker.budget.reserve(count), numbers);
    this.viewers.add(viewer);
    worker.viewers.add(viewer);
    return viewer;
  }

  private get placement(): Placement<MemoryWorker<MemoryRoom, MemoryViewer>> {
    return { own: this.worker, workers: this.workers(), rate: 0 };
  }

  async openFeed(tracks: PublishedTrack[], destinations: FeedDestination[]): Promise<MemoryFeed> {
    this.assertOpen();
    const feed: MemoryFeed = new MemoryFeed(tracks, destinations, () => this.feeds.delete(feed));
    this.feeds.add(feed);
    for (const track of tracks) await (track as MemoryTrack).requestKeyframe();
    return feed;
  }

  async openPipe(): Promise<MemoryPipe> {
    this.assertOpen();
    const pipe = new MemoryPipe(this.clock);
    this.pipes.add(pipe);
    pipe.onClosed(() => this.pipes.delete(pipe));
    return pipe;
  }

  async openInlet(sources: InletSource[]): Promise<MemoryInlet> {
    this.assertOpen();
    const inlet: MemoryInlet = new MemoryInlet(sources, this.clock, () => this.inlets.delete(inlet));
    this.inlets.add(inlet);
    return inlet;
  }

  onLost(listener: () => void): void {
    this.lost.add(listener);
  }

  async close(): Promise<void> {
    if (this.closed) return;
    this.closed = true;
    const { viewers, feeds, pipes, inlets, publishers } = this;
    for (const opened of [...viewers, ...feeds, ...pipes, ...inlets, ...publishers]) await opened.close();
    await this.members.close();
    this.worker.rooms.delete(this);
  }

  async lose(): Promise<void> {
    await this.close();
    this.lost.emit();
  }

  private assertOpen(): void {
    if (this.closed) throw closedError();
  }
}

let lastPid = 100_000;

/** Represents one media worker process. */
export class MemoryWorker<Room = unknown, Viewer = unknown> {
  readonly pid = ++lastPid;
  readonly rooms = new Set<Room>();
  /** The viewers on this worker, of its own rooms and of other rooms. */
  readonly viewers = new Set<Viewer>();
  readonly budget: ConsumerBudget;
  readonly load: Pick<WorkerLoad, 'admits' | 'share'>;

  constructor(limit: number, cpuShare: () => number) {
    this.budget = new ConsumerBudget(limit);
    this.load = {
      admits: (_rate, keptShare) => cpuShare() <= 1 - (keptShare ?? 0),
      get share() {
        return cpuShare();
      },
    };
  }
}
