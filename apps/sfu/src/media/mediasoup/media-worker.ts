import * as mediasoup from 'mediasoup';
import type { types } from 'mediasoup';
import type { Clock, Timer } from '@rtms/clock';
import { ConsumerBudget, WorkerLoad } from '../admission.js';
import { Listeners } from '../listeners.js';
import type { PayloadNumbers } from '../payload-numbers.js';
import type { ListenAddress } from './listen-address.js';
import { isProcessAsleep, watchWorker } from './load/watch-worker.js';
import { WorkerTraffic } from './load/worker-traffic.js';
import type { PeerMeters } from './peer-meters.js';
import { routerMediaCodecs } from './tracks/rtp-mapping.js';

export interface MediaWorkerOptions {
  listen: ListenAddress;
  /** UDP and TCP port of the worker's WebRtcServer; 0 takes a free port of the range. */
  port: number;
  portRange: { min: number; max: number };
  /** The address where other nodes reach this node's pipes; default: the listen address. */
  relayAddress?: string;
  consumerBudget: number;
  /** The share of its core up to which the worker accepts viewers. */
  cpuLimit: number;
  meters: PeerMeters;
  workerBin?: string;
  logger: EngineLogger;
  clock: Clock;
}

export interface EngineLogger {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** The methods of a room that its worker calls. */
export interface WorkerRoom {
  /** Checks whether the tracks still receive. The worker calls it every 500 ms. */
  sweep(): Promise<void>;
  /** The worker process has ended. */
  lose(): void;
  close(): Promise<void>;
}

/**
 * All peers of a worker share one socket, and the kernel's default buffer holds half a second of one 1080p publisher. The
 * kernel limits the size to net.core.rmem_max and wmem_max.
 */
const socketBuffers = { recvBufferSize: 4 << 20, sendBufferSize: 4 << 20 };

/** Period of the check whether tracks still receive. */
const sweepMs = 500;

/** Rooms whose counters are requested before the event loop continues. A request takes 30 to 100 µs to write. */
const sweptAtOnce = 16;

/** One mediasoup-worker process with its WebRtcServer and the rooms on it. */
export class MediaWorker {
  readonly rooms = new Set<WorkerRoom>();
  readonly budget: ConsumerBudget;
  readonly traffic: WorkerTraffic;
  readonly load: WorkerLoad;
  readonly clock: Clock;
  readonly meters: PeerMeters;
  publishers = 0;
  private readonly died = new Listeners<[]>();
  private readonly sweeper: Timer;
  private readonly endWatch: () => void;
  private sweeping: Promise<void> | undefined;

  private constructor(
    private readonly worker: types.Worker,
    readonly server: types.WebRtcServer,
    private readonly options: MediaWorkerOptions,
  ) {
    this.budget = new ConsumerBudget(options.consumerBudget);
    this.clock = options.clock;
    this.meters = options.meters;
    worker.on('died', () => this.onProcessEnd());
    this.traffic = new WorkerTraffic(worker);
    this.load = new WorkerLoad(options.cpuLimit, () => this.traffic.packetsPerSecond);
    this.sweeper = this.clock.every(sweepMs, () => void this.sweep());
    this.endWatch = watchWorker(
      worker,
      this.clock,
      () => this.onHung(),
      () => isProcessAsleep(worker.pid),
      usage => void this.measure(usage),
    );
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

  get pid(): number {
    return this.worker.pid;
  }

  get closed(): boolean {
    return this.worker.closed;
  }

  /** Calls back when the process ends unexpectedly, after everything on it has closed. */
  onDied(listener: () => void): void {
    this.died.add(listener);
  }

  /** Creates a router with the default payload types, or with the given ones. */
  async createRouter(numbers?: PayloadNumbers): Promise<types.Router> {
    return this.worker.createRouter({ mediaCodecs: routerMediaCodecs(numbers) });
  }

  /** The socket options for plain RTP. */
  plainListenInfo(): types.TransportListenInfo {
    const { listen, portRange } = this.options;
    return { ...socketBuffers, protocol: 'udp', ip: listen.ip, portRange };
  }

  /** The address to which other nodes send RTP. */
  get relayAddress(): string {
    return this.options.relayAddress ?? this.options.listen.ip;
  }

  /** The socket options for RTP between routers of this machine's workers. */
  pipeListenInfo(): types.TransportListenInfo {
    return { ...socketBuffers, protocol: 'udp', ip: '127.0.0.1', portRange: this.options.portRange };
  }

  /** Sweeps all rooms. Returns the running sweep if there is one, so that a slow worker gets no more requests. */
  sweep(): Promise<void> {
    this.sweeping ??= this.sweepRooms().finally(() => (this.sweeping = undefined));
    return this.sweeping;
  }

  /** For tests: the routers and handlers of the process. */
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

  /** Kills the process. The supervisor then replaces it like any worker that died. */
  private onHung(): void {
    this.options.logger.error({ pid: this.pid }, 'Media worker does not answer; killing it');
    process.kill(this.pid, 'SIGKILL');
  }

  /** Uses the machine's time, as the processor time does, also if a test moves the clock by hand. */
  private async measure({ ru_utime: user, ru_stime: system }: types.WorkerResourceUsage): Promise<void> {
    const at = this.clock.now() / 1000;
    await this.traffic.measure(at);
    this.load.note({ at, cpuSeconds: (user + system) / 1000 });
  }

  private onProcessEnd(): void {
    this.sweeper.cancel();
    this.endWatch();
    for (const room of this.rooms) room.lose();
    this.died.emit();
  }

  /** Sweeps a few rooms at a time: the requests of hundreds would delay the answer to a client by 10 ms and more. */
  private async sweepRooms(): Promise<void> {
    const rooms = [...this.rooms];
    try {
      for (let first = 0; first < rooms.length; first += sweptAtOnce)
        await Promise.all(rooms.slice(first, first + sweptAtOnce).map(room => room.sweep()));
    } catch (error) {
      this.options.logger.warn({ err: error, pid: this.pid }, 'Cannot sweep the rooms of a media worker');
    }
  }
}

/** Removes mediasoup's signal handlers, which would close the worker before the drain ends. */
function leaveSignals(worker: types.Worker): void {
  const { onSignal } = worker as types.Worker & { onSignal?: () => void };
  if (!onSignal) return;
  for (const signal of ['SIGINT', 'SIGTERM']) process.removeListener(signal, onSignal);
}
