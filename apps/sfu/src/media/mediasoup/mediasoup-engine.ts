import { existsSync } from 'node:fs';
import { availableParallelism, networkInterfaces } from 'node:os';
import type { Clock } from '@rtms/clock';
import { engineCapabilities, enginePayloadProfile } from '../engine-codecs.js';
import { workersFullError } from '../media-errors.js';
import type { EngineLoad, EngineStatus, MediaEngine } from '../media-engine.js';
import { resolveListenAddress, type ListenSettings, type MachineAddresses } from './listen-address.js';
import type { EngineLogger, MediaWorker } from './media-worker.js';
import { MediasoupRoom } from './mediasoup-room.js';
import { WorkerSupervisor } from './worker-supervisor.js';

export interface MediasoupEngineOptions extends ListenSettings {
  /** First WebRtcServer port; each worker takes the next one. 0 takes any free ones of the range. */
  rtcPort?: number;
  /** Where other nodes reach this one's media, if it listens everywhere. */
  relayAddress?: string;
  /** For plain RTP, pipes to other nodes, and for WebRtcServers when `rtcPort` is 0. */
  portRange?: { min: number; max: number };
  /** Default: one a core. */
  workers?: number;
  /** Viewer tracks that one worker serves. */
  consumersPerWorker?: number;
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

/** The media engine on mediasoup: rooms are routers, spread over worker processes. */
export class MediasoupEngine implements MediaEngine {
  readonly capabilities = engineCapabilities;
  readonly payloadProfile = enginePayloadProfile;
  private readonly rooms = new Map<string, Promise<MediasoupRoom>>();

  private constructor(
    private readonly supervisor: WorkerSupervisor,
    private readonly capacity: number,
    private readonly consumersPerWorker: number,
  ) {}

  /** Starts the workers; refuses when it is open which address peers would reach. */
  static async start(options: MediasoupEngineOptions): Promise<MediasoupEngine> {
    const { rtcPort = 0, portRange = { min: 40000, max: 49999 }, consumersPerWorker = 400 } = options;
    const { workerBin, relayAddress, clock } = options;
    const logger = options.logger ?? silent;
    const listen = resolveListenAddress(options, machineAddresses());
    const count = options.workers ?? availableParallelism();
    const slots = Array.from({ length: count }, (_, slot) => ({
      listen,
      port: rtcPort === 0 ? 0 : rtcPort + slot,
      portRange,
      consumerBudget: consumersPerWorker,
      logger,
      clock,
      ...(workerBin && { workerBin }),
      ...(relayAddress && { relayAddress }),
    }));
    const supervisor = new WorkerSupervisor(slots, logger, clock);
    await supervisor.start();
    return new MediasoupEngine(supervisor, count * consumersPerWorker, consumersPerWorker);
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
    return {
      consumers: sum(worker => worker.budget.consumers),
      capacity: this.capacity,
      publishers: sum(worker => worker.publishers),
    };
  }

  status(): EngineStatus {
    const { consumersPerWorker, supervisor } = this;
    const { deaths, placed } = supervisor;
    const workers = placed.map(({ slot, worker }) => ({ slot, pid: worker.pid, consumers: worker.budget.consumers }));
    const pipes = placed.reduce((sum, { worker }) => sum + worker.pipes, 0);
    return { workers, consumersPerWorker, deaths, pipes };
  }

  workerPids(): number[] {
    return this.workers.map(worker => worker.pid);
  }

  /** For tests and diagnosis: the workers that run now. */
  get workers(): MediaWorker[] {
    return this.supervisor.workers;
  }

  async close(): Promise<void> {
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
    .sort((a, b) => a.budget.consumers - b.budget.consumers || a.rooms.size - b.rooms.size);
  return least;
}
