import * as mediasoup from 'mediasoup';
import type { types } from 'mediasoup';
import type { Clock, Timer } from '@rtms/clock';
import { ConsumerBudget } from '../consumer-budget.js';
import { Listeners } from '../listeners.js';
import type { PayloadNumbers } from '../payload-numbers.js';
import { countPipes } from './count-pipes.js';
import type { ListenAddress } from './listen-address.js';
import { routerMediaCodecs } from './router-codecs.js';
import { watchWorker } from './worker-watch.js';

export interface MediaWorkerOptions {
  listen: ListenAddress;
  /** UDP and TCP port of the worker's WebRtcServer; 0 takes any free one of the range. */
  port: number;
  portRange: { min: number; max: number };
  /** Where other nodes reach the pipes of this one; default: where it listens. */
  relayAddress?: string;
  consumerBudget: number;
  workerBin?: string;
  logger: EngineLogger;
  clock: Clock;
}

export interface EngineLogger {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** The calls that a worker makes to the rooms on it. */
export interface WorkerRoom {
  /** Looks whether its tracks still receive; called every half second. */
  sweep(): Promise<void>;
  /** Its process has ended. */
  lose(): void;
  close(): Promise<void>;
}

/**
 * One socket carries all peers of a worker: the kernel's default holds half a second of one 1080p publisher. The kernel
 * cuts the wish down to net.core.rmem_max and wmem_max.
 */
const socketBuffers = { recvBufferSize: 4 << 20, sendBufferSize: 4 << 20 };

/** How often tracks are looked at for whether they still receive. */
const sweepMs = 500;

/** One mediasoup-worker process with its WebRtcServer and the rooms on it. */
export class MediaWorker {
  readonly rooms = new Set<WorkerRoom>();
  readonly budget: ConsumerBudget;
  publishers = 0;
  private readonly died = new Listeners<[]>();
  private readonly countPipes: () => number;
  private readonly sweeper: Timer;
  private readonly endWatch: () => void;
  private sweeping: Promise<void> | undefined;

  private constructor(
    private readonly worker: types.Worker,
    readonly server: types.WebRtcServer,
    private readonly options: MediaWorkerOptions,
  ) {
    this.budget = new ConsumerBudget(options.consumerBudget);
    worker.on('died', () => this.onProcessEnd());
    this.countPipes = countPipes(worker);
    this.sweeper = this.clock.every(sweepMs, () => void this.sweep());
    this.endWatch = watchWorker(worker, this.clock, () => this.onHung());
  }

  static async start(options: MediaWorkerOptions): Promise<MediaWorker> {
    const { listen, port, portRange, workerBin } = options;
    const worker = await mediasoup.createWorker({ logLevel: 'error', ...(workerBin && { workerBin }) });
    leaveSignals(worker);
    const address = {
      ...socketBuffers,
      ip: listen.ip,
      ...(listen.announcedAddress && { announcedAddress: listen.announcedAddress }),
      ...(port === 0 ? { portRange } : { port }),
    };
    try {
      const listenInfos = (['udp', 'tcp'] as const).map(protocol => ({ protocol, ...address }));
      return new MediaWorker(worker, await worker.createWebRtcServer({ listenInfos }), options);
    } catch (error) {
      worker.close();
      throw error;
    }
  }

  get clock(): Clock {
    return this.options.clock;
  }

  get pid(): number {
    return this.worker.pid;
  }

  /** Tracks that its routers send on to other routers. */
  get pipes(): number {
    return this.countPipes();
  }

  get closed(): boolean {
    return this.worker.closed;
  }

  /** Tells of the process's unexpected end, after everything on it has been closed. */
  onDied(listener: () => void): void {
    this.died.add(listener);
  }

  /** With the numbers of its own, or those given. */
  async createRouter(numbers?: PayloadNumbers): Promise<types.Router> {
    return this.worker.createRouter({ mediaCodecs: routerMediaCodecs(numbers) });
  }

  /** Where plain RTP is sent from. */
  plainListenInfo(): types.TransportListenInfo {
    const { listen, portRange } = this.options;
    return { ...socketBuffers, protocol: 'udp', ip: listen.ip, portRange };
  }

  /** Where other nodes send RTP to. */
  get relayAddress(): string {
    return this.options.relayAddress ?? this.options.listen.ip;
  }

  /** Where routers of this machine's workers send each other RTP. */
  pipeListenInfo(): types.TransportListenInfo {
    return { ...socketBuffers, protocol: 'udp', ip: '127.0.0.1', portRange: this.options.portRange };
  }

  /** One pass over all rooms. A pass that still runs is joined: a slow worker is not asked faster than it answers. */
  sweep(): Promise<void> {
    this.sweeping ??= this.sweepRooms().finally(() => (this.sweeping = undefined));
    return this.sweeping;
  }

  /** For tests: the routers and handlers that the process holds. */
  async dump(): Promise<types.WorkerDump> {
    return this.worker.dump();
  }

  async close(): Promise<void> {
    this.sweeper.cancel();
    this.endWatch();
    for (const room of this.rooms) await room.close();
    if (this.worker.closed) return;
    const ended = new Promise<void>(resolve => this.worker.once('subprocessclose', resolve));
    this.worker.close();
    await ended;
  }

  /** Its death is noticed like any other, and makes place for a new one. */
  private onHung(): void {
    this.options.logger.error({ pid: this.pid }, 'Media worker does not answer; ending it');
    process.kill(this.pid, 'SIGKILL');
  }

  private onProcessEnd(): void {
    this.sweeper.cancel();
    this.endWatch();
    for (const room of this.rooms) room.lose();
    this.died.emit();
  }

  private async sweepRooms(): Promise<void> {
    try {
      await Promise.all([...this.rooms].map(room => room.sweep()));
    } catch (error) {
      this.options.logger.warn({ err: error, pid: this.pid }, 'Could not look whether all tracks still receive');
    }
  }
}

/** mediasoup closes a worker on a signal by itself, under everybody who is still to be told and given time. */
function leaveSignals(worker: types.Worker): void {
  const { onSignal } = worker as types.Worker & { onSignal?: () => void };
  if (!onSignal) return;
  for (const signal of ['SIGINT', 'SIGTERM']) process.removeListener(signal, onSignal);
}
