import type { types } from 'mediasoup';
import type { FeedDestination } from '@rtms/contracts';
import { findPlace, type Placement, placeViewer } from '../admission.js';
import { closedError, type InletSource, type MediaRoom, type PublishedTrack, whileOpen } from '../media-engine.js';
import { Ending, Listeners } from '../listeners.js';
import { areOwnNumbers, type PayloadNumbers } from '../payload-numbers.js';
import { EgressRouters, MediasoupViewer, type TrackOutlet } from './mediasoup-viewer.js';
import type { MediaWorker, WorkerRoom } from './media-worker.js';
import { MediasoupFeed, MediasoupPipe } from './mediasoup-copies.js';
import { MediasoupInlet } from './mediasoup-inlet.js';
import { MediasoupMembers } from './mediasoup-members.js';
import { MediasoupPublisher } from './mediasoup-transport.js';

/**
 * Seconds without an ICE consent check after which a peer is lost (RFC 7675 allows 30, clients check every 2.5 to 6 s).
 * 0 for publishers: some encoders never repeat a check while they send, so their packets are checked instead.
 */
const consentSeconds = { viewer: 15, member: 15, publisher: 0 };

/** The worker and router of a viewer's transport, and the source of its tracks. */
interface ViewerPlace {
  worker: MediaWorker;
  router: types.Router;
  outlet: TrackOutlet;
  /** Ends the expectation of the viewer. Call it when the viewer starts or fails. */
  arrived: () => void;
}

/** A room is a router of one worker. Viewers may be on egress routers of other workers. */
export class MediasoupRoom implements MediaRoom, WorkerRoom {
  private readonly publishers = new Set<MediasoupPublisher>();
  private readonly viewers = new Set<MediasoupViewer>();
  private readonly feeds = new Set<MediasoupFeed>();
  private readonly pipes = new Set<MediasoupPipe>();
  private readonly inlets = new Set<MediasoupInlet>();
  private readonly lost = new Listeners<[]>();
  private readonly ending = new Ending();
  private readonly egress = new EgressRouters();
  readonly members: MediasoupMembers;

  private constructor(
    readonly meetingID: string,
    private readonly worker: MediaWorker,
    private readonly router: types.Router,
    private readonly workers: () => MediaWorker[],
  ) {
    this.members = new MediasoupMembers(worker, router, () => this.createTransport(consentSeconds.member));
    worker.rooms.add(this);
  }

  /** `workers` returns all running workers. */
  static async open(meetingID: string, worker: MediaWorker, workers: () => MediaWorker[]): Promise<MediasoupRoom> {
    return new MediasoupRoom(meetingID, worker, await whileOpen(worker.createRouter(), worker), workers);
  }

  async openPublisher(): Promise<MediasoupPublisher> {
    const transport = await this.createTransport(consentSeconds.publisher);
    const { clock } = this.worker;
    const meter = this.worker.meters.follow(transport, 'publisher');
    const publisher: MediasoupPublisher = new MediasoupPublisher(transport, meter, this.router, clock, () => {
      this.publishers.delete(publisher);
      this.worker.publishers--;
    });
    this.publishers.add(publisher);
    this.worker.publishers++;
    return publisher;
  }

  get hasPlaceForViewer(): boolean {
    return findPlace<MediaWorker>(this.placement) !== undefined;
  }

  async openViewer(numbers?: PayloadNumbers): Promise<MediasoupViewer> {
    this.assertOpen();
    const others = numbers && !areOwnNumbers(numbers) ? numbers : undefined;
    const { placement } = this;
    const worker = placeViewer({ ...placement, isCopiedTo: one => this.egress.has(one, others) });
    // Counted at once: other viewers choose a worker while this one waits for its egress router or transport.
    const arrived = expectViewer(worker, placement.rate);
    if (worker !== this.worker || others) return this.openEgressViewer(worker, others, arrived);
    const consume: TrackOutlet['consume'] = (track, transport, options) => track.consumeOn(transport, options);
    const outlet = { consume, ...(numbers && { numbers }) };
    return this.openViewerAt({ worker, router: this.router, outlet, arrived }, () => undefined);
  }

  private get placement(): Placement<MediaWorker> {
    const { worker: own, router } = this;
    return { own, workers: this.workers(), rate: own.traffic.rateOfViewer(router) };
  }

  async openFeed(tracks: PublishedTrack[], destinations: FeedDestination[]): Promise<MediasoupFeed> {
    this.assertOpen();
    const { router, worker } = this;
    const opening = MediasoupFeed.open({ router, listen: worker.plainListenInfo(), tracks, destinations });
    const feed = await whileOpen(opening, router, worker);
    this.feeds.add(feed);
    feed.onClosed(() => this.feeds.delete(feed));
    return feed;
  }

  async openPipe(): Promise<MediasoupPipe> {
    this.assertOpen();
    const { router, worker } = this;
    const options = { listenInfo: worker.plainListenInfo(), enableRtx: true, enableSrtp: true };
    const transport = await whileOpen(router.createPipeTransport(options), router, worker);
    const pipe = new MediasoupPipe(transport, router, worker);
    this.pipes.add(pipe);
    pipe.onClosed(() => this.pipes.delete(pipe));
    return pipe;
  }

  async openInlet(sources: InletSource[]): Promise<MediasoupInlet> {
    this.assertOpen();
    const { router, worker } = this;
    const inlet = await whileOpen(MediasoupInlet.open(router, worker, sources), router, worker);
    this.inlets.add(inlet);
    inlet.onClosed(() => this.inlets.delete(inlet));
    if (this.ending.isOver) inlet.closeNow();
    return inlet;
  }

  onLost(listener: () => void): void {
    this.lost.add(listener);
  }

  onClosed(listener: () => void): void {
    this.ending.add(listener);
  }

  async sweep(): Promise<void> {
    const { publishers, inlets, members } = this;
    await Promise.all([...publishers, ...inlets, members].map(each => each.sweep()));
  }

  async close(): Promise<void> {
    this.closeNow();
  }

  lose(): void {
    this.closeNow();
    this.lost.emit();
    this.lost.clear();
  }

  private closeNow(): void {
    this.ending.run(() => {
      this.worker.rooms.delete(this);
      const { viewers, feeds, pipes, inlets, publishers } = this;
      for (const opened of [...viewers, ...feeds, ...pipes, ...inlets, ...publishers]) opened.closeNow();
      this.members.closeNow();
      this.egress.closeNow();
      this.router.close();
    });
  }

  private async openEgressViewer(
    worker: MediaWorker,
    numbers: PayloadNumbers | undefined,
    arrived: () => void,
  ): Promise<MediasoupViewer> {
    const opening = whileOpen(this.egress.acquire(worker, numbers), this.router, worker);
    const { opened: egress, release } = await opening.catch((error: unknown) => {
      arrived();
      throw error;
    });
    let leave = (): void => undefined;
    const onClosed = (): void => {
      leave();
      release();
    };
    try {
      const viewer = await this.openViewerAt({ worker, router: egress.router, outlet: egress, arrived }, onClosed);
      leave = egress.lodge(viewer);
      return viewer;
    } catch (error) {
      onClosed();
      throw error;
    }
  }

  private async openViewerAt(
    { worker, router, outlet, arrived }: ViewerPlace,
    onClosed: () => void,
  ): Promise<MediasoupViewer> {
    const transport = await this.createTransport(consentSeconds.viewer, { worker, router }).catch((error: unknown) => {
      arrived();
      throw error;
    });
    const meter = worker.meters.follow(transport, 'viewer');
    const viewer: MediasoupViewer = new MediasoupViewer(transport, meter, outlet, worker.budget, worker.clock, {
      onStarted: arrived,
      workerUsage: () => worker.load.utilization,
      onClosed: () => {
        arrived();
        this.viewers.delete(viewer);
        onClosed();
      },
    });
    this.viewers.add(viewer);
    return viewer;
  }

  private async createTransport(
    iceConsentTimeout: number,
    { worker, router }: { worker: MediaWorker; router: types.Router } = { worker: this.worker, router: this.router },
  ): Promise<types.WebRtcTransport> {
    this.assertOpen();
    const webRtcServer = worker.server;
    return whileOpen(router.createWebRtcTransport({ webRtcServer, iceConsentTimeout }), this.router, worker);
  }

  private assertOpen(): void {
    if (this.ending.isOver) throw closedError();
  }
}

/** Returns the end of the expectation. Safe to call twice. */
function expectViewer({ budget, load }: MediaWorker, rate: number): () => void {
  const expected = [budget.expectViewer(), load.expectViewer(rate)];
  return () => expected.forEach(end => end());
}
