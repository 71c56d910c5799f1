import { existsSync } from 'node:fs';
import { availableParallelism, networkInterfaces } from 'node:os';
import type { Clock } from '@rtms/clock';
import { engineCapabilities, enginePayloadProfile } from '../codecs.js';
import { describeLoad } from '../admission.js';
import { type EngineLoad, type EngineStatus, type MediaEngine, workersFullError } from '../media-engine.js';
import { MediaStatistics } from '../media-statistics.js';
import { type ListenSettings, type MachineAddresses, resolveListenAddress } from './listen-address.js';
import { type EngineLogger, MediaWorker, type MediaWorkerOptions } from './media-worker.js';
import { MediasoupRoom } from './mediasoup-room.js';
import { PeerMeters } from './peer-meters.js';

export interface MediasoupEngineOptions extends ListenSettings {
  /** First WebRtcServer port; each worker takes the next one. 0 takes free ports of the range. */
  rtcPort?: number;
  /** The address where other nodes reach this node's media. Required if the node listens on all interfaces. */
  relayAddress?: string;
  /** Ports for plain RTP, for pipes to other nodes, and for WebRtcServers if `rtcPort` is 0. */
  portRange?: { min: number; max: number };
  /** Default: one per core. */
  workers?: number;
  /** Maximum of viewer tracks per worker. */
  consumersPerWorker?: number;
  /** The share of its core up to which a worker accepts viewers. */
  workerCpuLimit?: number;
  workerBin?: string;
  logger?: EngineLogger;
  clock: Clock;
}

const silent: EngineLogger = { info: () => undefined, warn: () => undefined, error: () => undefined };

function machineAddresses(): MachineAddresses {
  const all = Object.values(networkInterfaces()).flatMap(entries => entries ?? []);
  return {
    addresses: all.filter(entry => !entry.internal).map(entry => entry.address),
    container: existsSync('/.dockerenv') || existsSync('/run/.containerenv'),
  };
}

/** The media engine on mediasoup. Rooms are routers, spread over worker processes. */
export class MediasoupEngine implements MediaEngine {
  readonly capabilities = engineCapabilities;
  readonly payloadProfile = enginePayloadProfile;
  private readonly rooms = new Map<string, Promise<MediasoupRoom>>();

  private constructor(
    private readonly supervisor: WorkerSupervisor,
    private readonly count: number,
    private readonly limits: Pick<EngineStatus, 'consumersPerWorker' | 'workerCpuLimit'>,
    readonly statistics: MediaStatistics,
    private readonly meters: PeerMeters,
  ) {}

  /** Starts the workers. Throws if the settings do not say which address peers can reach. */
  static async start(options: MediasoupEngineOptions): Promise<MediasoupEngine> {
    const { rtcPort = 0, portRange = { min: 40000, max: 49999 }, consumersPerWorker = 2_000 } = options;
    const { workerCpuLimit = 0.8, workerBin, relayAddress, clock } = options;
    const logger = options.logger ?? silent;
    const listen = resolveListenAddress(options, machineAddresses());
    const count = options.workers ?? availableParallelism();
    const statistics = new MediaStatistics();
    const meters = new PeerMeters(statistics, clock);
    const slots = Array.from({ length: count }, (_, slot) => ({
      listen,
      port: rtcPort === 0 ? 0 : rtcPort + slot,
      portRange,
      consumerBudget: consumersPerWorker,
      cpuLimit: workerCpuLimit,
      logger,
      clock,
      meters,
      ...(workerBin && { workerBin }),
      ...(relayAddress && { relayAddress }),
    }));
    const supervisor = new WorkerSupervisor(slots, logger, clock);
    try {
      await supervisor.start();
    } catch (error) {
      meters.close();
      throw error;
    }
    return new MediasoupEngine(supervisor, count, { consumersPerWorker, workerCpuLimit }, statistics, meters);
  }

  async openRoom(meetingID: string): Promise<MediasoupRoom> {
    const existing = this.rooms.get(meetingID);
    if (existing) return existing;
    const opening = this.open(meetingID);
    this.rooms.set(meetingID, opening);
    opening.catch(() => this.forget(meetingID, opening));
    return opening;
  }

  openOnEachWorker(): Promise<MediasoupRoom[]> {
    return Promise.all(this.workers.map(worker => MediasoupRoom.open('diagnosis', worker, () => this.workers)));
  }

  load(): EngineLoad {
    const sum = (count: (worker: MediaWorker) => number): number =>
      this.workers.reduce((total, worker) => total + count(worker), 0);
    const { count, limits } = this;
    return describeLoad({
      consumers: sum(worker => worker.budget.consumers),
      capacity: count * limits.consumersPerWorker,
      publishers: sum(worker => worker.publishers),
      // A worker that is being replaced serves nobody.
      cpuShare: (sum(worker => worker.load.share) + count - this.workers.length) / count,
      cpuGrowth: sum(worker => worker.load.growth) / count,
    });
  }

  status(): EngineStatus {
    const { deaths, placed } = this.supervisor;
    const workers = placed.map(({ slot, worker: { pid, budget, load } }) => {
      return { slot, pid, consumers: budget.consumers, utilization: load.utilization };
    });
    const pipes = placed.reduce((sum, { worker }) => sum + worker.traffic.pipes, 0);
    return { workers, ...this.limits, deaths, pipes };
  }

  workerPids(): number[] {
    return this.workers.map(worker => worker.pid);
  }

  /** The running workers. */
  get workers(): MediaWorker[] {
    return this.supervisor.workers;
  }

  async close(): Promise<void> {
    this.meters.close();
    await this.supervisor.close();
  }

  private async open(meetingID: string): Promise<MediasoupRoom> {
    const worker = leastLoaded(await this.supervisor.someWorkers());
    if (!worker) throw workersFullError();
    const room = await MediasoupRoom.open(meetingID, worker, () => this.workers);
    room.onClosed(() => this.rooms.delete(meetingID));
    return room;
  }

  private forget(meetingID: string, room: Promise<MediasoupRoom>): void {
    if (this.rooms.get(meetingID) === room) this.rooms.delete(meetingID);
  }
}

function leastLoaded(workers: MediaWorker[]): MediaWorker | undefined {
  const [least] = workers
    .filter(({ budget }) => !budget.full)
    .sort((a, b) => tenths(a) - tenths(b) || a.budget.consumers - b.budget.consumers || a.rooms.size - b.rooms.size);
  return least;
}

/** Smaller differences of the load are noise. */
function tenths({ load }: MediaWorker): number {
  return Math.floor(load.share * 10);
}

/** Pause between attempts to start a worker, in ms. Doubles from `first` to `longest`. */
const retryDelays = { first: 100, longest: 5_000 };

/** Keeps a fixed number of media workers running. Replaces a worker that died, with the same port. */
class WorkerSupervisor {
  private readonly slots: (MediaWorker | undefined)[] = [];
  private readonly replacements = new Set<Promise<void>>();
  private readonly closing = new AbortController();
  /** Workers that ended unexpectedly. */
  deaths = 0;

  constructor(
    private readonly slotOptions: MediaWorkerOptions[],
    private readonly logger: EngineLogger,
    private readonly clock: Clock,
  ) {}

  async start(): Promise<void> {
    try {
      await Promise.all(this.slotOptions.map((_, slot) => this.fill(slot)));
    } catch (error) {
      await this.close();
      throw error;
    }
  }

  /** The running workers. */
  get workers(): MediaWorker[] {
    return this.slots.filter(worker => worker !== undefined);
  }

  /** The running workers with their slots. */
  get placed(): { slot: number; worker: MediaWorker }[] {
    return this.slots.flatMap((worker, slot) => (worker ? [{ slot, worker }] : []));
  }

  /** The running workers. If none runs, waits for a replacement that is starting. */
  async someWorkers(): Promise<MediaWorker[]> {
    if (this.workers.length === 0 && this.replacements.size > 0) await Promise.race(this.replacements);
    return this.workers;
  }

  async close(): Promise<void> {
    this.closing.abort();
    await Promise.all(this.replacements);
    await Promise.all(this.workers.map(worker => worker.close()));
    this.slots.length = 0;
  }

  private get closed(): boolean {
    return this.closing.signal.aborted;
  }

  private async fill(slot: number): Promise<void> {
    const options = this.slotOptions[slot];
    if (!options) return;
    const worker = await MediaWorker.start(options);
    if (this.closed) return worker.close();
    this.slots[slot] = worker;
    worker.onDied(() => this.onDied(slot, worker));
    this.logger.info({ pid: worker.pid, slot }, 'Media worker started');
  }

  private onDied(slot: number, worker: MediaWorker): void {
    this.slots[slot] = undefined;
    this.deaths += 1;
    this.logger.error({ pid: worker.pid, slot }, 'Media worker died; starting a replacement');
    if (this.closed) return;
    const replacement = this.replace(slot).finally(() => this.replacements.delete(replacement));
    this.replacements.add(replacement);
  }

  private async replace(slot: number): Promise<void> {
    for (let delay = retryDelays.first; !this.closed; delay = Math.min(delay * 2, retryDelays.longest)) {
      try {
        return await this.fill(slot);
      } catch (error) {
        this.logger.error({ err: error, slot }, 'Cannot start a media worker; retrying');
        await this.clock.pause(delay, this.closing.signal);
      }
    }
  }
}
