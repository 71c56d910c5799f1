import type { types } from 'mediasoup';
import { closedError } from '../media-errors.js';
import { numbersKey, type PayloadNumbers } from '../payload-numbers.js';
import type { MediaWorker, WorkerRoom } from './media-worker.js';
import type { MediasoupTrack } from './mediasoup-track.js';
import type { ConsumingOptions, TrackOutlet } from './mediasoup-viewer.js';

/** One track on an egress router, there as long as somebody there is sent it. */
interface Pipe {
  producer: Promise<types.Producer>;
  consumers: number;
}

/** What is closed when the worker that it is on has died. */
interface Lodger {
  closeNow(): void;
}

/**
 * A router beside the room's own: with the numbers of some viewers' offers, on another worker, or both. Each track that its
 * viewers are sent is piped to it once.
 */
export class EgressRouter implements TrackOutlet, WorkerRoom {
  private readonly pipes = new Map<MediasoupTrack, Pipe>();
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
    const pipe = this.pipeOf(track);
    pipe.consumers++;
    const consumer = await this.consumePipe(pipe, transport, options).catch((error: unknown) => {
      this.leave(track, pipe);
      throw error;
    });
    consumer.observer.once('close', () => this.leave(track, pipe));
    if (!track.closed) return consumer;
    consumer.close();
    throw closedError();
  }

  private async consumePipe(
    { producer }: Pipe,
    transport: types.Transport,
    options: ConsumingOptions,
  ): Promise<types.Consumer> {
    const { id: producerId } = await producer;
    return transport.consume({ producerId, paused: true, ...options });
  }

  private pipeOf(track: MediasoupTrack): Pipe {
    const known = this.pipes.get(track);
    if (known) return known;
    const pipe: Pipe = { producer: track.pipeTo(this.router, this.worker.pipeListenInfo()), consumers: 0 };
    this.pipes.set(track, pipe);
    pipe.producer.then(
      producer => producer.observer.once('close', () => this.forget(track, pipe)),
      () => this.forget(track, pipe),
    );
    return pipe;
  }

  private leave(track: MediasoupTrack, pipe: Pipe): void {
    pipe.consumers--;
    if (pipe.consumers > 0) return;
    this.forget(track, pipe);
    pipe.producer.then(
      producer => producer.close(),
      () => undefined,
    );
  }

  private forget(track: MediasoupTrack, pipe: Pipe): void {
    if (this.pipes.get(track) === pipe) this.pipes.delete(track);
  }
}

interface OpenedRouter {
  egress: Promise<EgressRouter>;
  viewers: number;
}

/** A room's egress routers, one for each worker and distinct set of numbers, there as long as it has viewers. */
export class EgressRouters {
  private readonly opened = new Map<string, OpenedRouter>();

  /** Each call that succeeds is followed by one of `release`. */
  async acquire(worker: MediaWorker, numbers: PayloadNumbers | undefined): Promise<EgressRouter> {
    const key = keyOf(worker, numbers);
    const router = this.opened.get(key) ?? { egress: open(worker, numbers), viewers: 0 };
    this.opened.set(key, router);
    router.viewers++;
    return router.egress.catch((error: unknown) => {
      this.leave(key, router);
      throw error;
    });
  }

  /** Whether viewers with these numbers have a router on that worker. */
  has(worker: MediaWorker, numbers: PayloadNumbers | undefined): boolean {
    return this.opened.has(keyOf(worker, numbers));
  }

  release({ worker, numbers }: EgressRouter): void {
    const key = keyOf(worker, numbers);
    const router = this.opened.get(key);
    if (router) this.leave(key, router);
  }

  closeNow(): void {
    for (const router of this.opened.values()) closeRouter(router);
    this.opened.clear();
  }

  private leave(key: string, router: OpenedRouter): void {
    router.viewers--;
    if (router.viewers > 0) return;
    if (this.opened.get(key) === router) this.opened.delete(key);
    closeRouter(router);
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

function closeRouter({ egress }: OpenedRouter): void {
  egress.then(
    opened => {
      opened.worker.rooms.delete(opened);
      opened.router.close();
    },
    () => undefined,
  );
}
