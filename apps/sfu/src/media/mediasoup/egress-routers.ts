import type { types } from 'mediasoup';
import { closedError } from '../media-errors.js';
import { numbersKey, type PayloadNumbers } from '../payload-numbers.js';
import type { MediaWorker } from './media-worker.js';
import type { MediasoupTrack } from './mediasoup-track.js';
import type { ConsumingOptions, TrackOutlet } from './mediasoup-viewer.js';

/** One track on an egress router, there as long as somebody there is sent it. */
interface Pipe {
  producer: Promise<types.Producer>;
  consumers: number;
}

/** A router whose numbers are those of some viewers' offers; each track that they are sent is piped to it once. */
export class EgressRouter implements TrackOutlet {
  private readonly pipes = new Map<MediasoupTrack, Pipe>();

  constructor(
    readonly router: types.Router,
    readonly numbers: PayloadNumbers,
    private readonly listenInfo: types.TransportListenInfo,
  ) {}

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
    const pipe: Pipe = { producer: track.pipeTo(this.router, this.listenInfo), consumers: 0 };
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

/** A room's egress routers, one for each distinct set of numbers, there as long as it has viewers. */
export class EgressRouters {
  private readonly opened = new Map<string, OpenedRouter>();

  constructor(private readonly worker: MediaWorker) {}

  /** Each call that succeeds is followed by one of `release`. */
  async acquire(numbers: PayloadNumbers): Promise<EgressRouter> {
    const key = numbersKey(numbers);
    const router = this.opened.get(key) ?? { egress: this.open(numbers), viewers: 0 };
    this.opened.set(key, router);
    router.viewers++;
    return router.egress.catch((error: unknown) => {
      this.leave(key, router);
      throw error;
    });
  }

  release({ numbers }: EgressRouter): void {
    const key = numbersKey(numbers);
    const router = this.opened.get(key);
    if (router) this.leave(key, router);
  }

  closeNow(): void {
    for (const router of this.opened.values()) closeRouter(router);
    this.opened.clear();
  }

  private async open(numbers: PayloadNumbers): Promise<EgressRouter> {
    return new EgressRouter(await this.worker.createRouter(numbers), numbers, this.worker.pipeListenInfo());
  }

  private leave(key: string, router: OpenedRouter): void {
    router.viewers--;
    if (router.viewers > 0) return;
    if (this.opened.get(key) === router) this.opened.delete(key);
    closeRouter(router);
  }
}

function closeRouter({ egress }: OpenedRouter): void {
  egress.then(
    ({ router }) => router.close(),
    () => undefined,
  );
}
