import type { types } from 'mediasoup';
import { closedError } from '../media-errors.js';
import { numbersKey, type PayloadNumbers } from '../payload-numbers.js';
import { SharedOpenings } from '../shared-openings.js';
import type { MediaWorker, WorkerRoom } from './media-worker.js';
import type { MediasoupTrack } from './mediasoup-track.js';
import type { ConsumingOptions, TrackOutlet } from './mediasoup-viewer.js';

/** What is closed when the worker that it is on has died. */
interface Lodger {
  closeNow(): void;
}

/**
 * A router beside the room's own: with the numbers of some viewers' offers, on another worker, or both. Each track that its
 * viewers are sent is piped to it once.
 */
export class EgressRouter implements TrackOutlet, WorkerRoom {
  private readonly pipes = new SharedOpenings<MediasoupTrack, types.Producer>({
    close: producer => producer.close(),
    onEnded: (producer, listener) => producer.observer.once('close', listener),
  });
  private readonly viewers = new Set<Lodger>();

  constructor(
    readonly router: types.Router,
    readonly worker: MediaWorker,
    readonly numbers: PayloadNumbers | undefined,
  ) {}

  /** The viewer is closed when the worker dies; returns what to call when it goes by itself. */
  lodge(viewer: Lodger): () => void {
    this.viewers.add(viewer);
    return () => this.viewers.delete(viewer);
  }

  lose(): void {
    for (const viewer of this.viewers) viewer.closeNow();
  }

  /** Tracks are looked at where they are published. */
  async sweep(): Promise<void> {
    // Nothing is published here.
  }

  async close(): Promise<void> {
    this.lose();
    this.router.close();
  }

  async consume(track: MediasoupTrack, transport: types.Transport, options: ConsumingOptions): Promise<types.Consumer> {
    const pipe = (): Promise<types.Producer> => track.pipeTo(this.router, this.worker.pipeListenInfo());
    const { opened, release } = await this.pipes.acquire(track, pipe);
    const consuming = transport.consume({ producerId: opened.id, paused: true, ...options });
    const consumer = await consuming.catch((error: unknown) => {
      release();
      throw error;
    });
    consumer.observer.once('close', release);
    if (!track.closed) return consumer;
    consumer.close();
    throw closedError();
  }
}

/** A room's egress routers, one for each worker and distinct set of numbers, there as long as it has viewers. */
export class EgressRouters {
  private readonly routers = new SharedOpenings<string, EgressRouter>({ close: closeRouter });

  acquire(
    worker: MediaWorker,
    numbers: PayloadNumbers | undefined,
  ): Promise<{ opened: EgressRouter; release: () => void }> {
    return this.routers.acquire(keyOf(worker, numbers), () => open(worker, numbers));
  }

  /** Whether viewers with these numbers have a router on that worker. */
  has(worker: MediaWorker, numbers: PayloadNumbers | undefined): boolean {
    return this.routers.has(keyOf(worker, numbers));
  }

  closeNow(): void {
    void this.routers.closeAll();
  }
}

function keyOf({ pid }: MediaWorker, numbers: PayloadNumbers | undefined): string {
  return `${pid}: ${numbers ? numbersKey(numbers) : 'own'}`;
}

async function open(worker: MediaWorker, numbers: PayloadNumbers | undefined): Promise<EgressRouter> {
  const egress = new EgressRouter(await worker.createRouter(numbers), worker, numbers);
  worker.rooms.add(egress);
  return egress;
}

function closeRouter(egress: EgressRouter): void {
  egress.worker.rooms.delete(egress);
  egress.router.close();
}
