import type { Clock } from '@rtms/clock';
import { engineCapabilities, enginePayloadProfile } from '../codecs.js';
import { describeLoad } from '../admission.js';
import { type EngineLoad, type EngineStatus, type MediaEngine, workersFullError } from '../media-engine.js';
import { MediaStatistics } from '../media-statistics.js';
import { type MemoryFeed, MemoryRoom, MemoryWorker } from './memory-room.js';
import type { MemoryPublisher } from './memory-publisher.js';
import type { MemoryViewer } from './memory-viewer.js';

interface MemoryEngineOptions {
  clock: Clock;
  workers?: number;
  consumersPerWorker?: number;
}

/**
 * The media engine without media, for tests. `publishers`, `viewers` and `feeds` list the open ones, oldest first. Their
 * `peer…` methods and a track's `receiveRtp` play the remote side.
 */
export class MemoryEngine implements MediaEngine {
  readonly capabilities = engineCapabilities;
  readonly payloadProfile = enginePayloadProfile;
  readonly statistics = new MediaStatistics();
  private readonly budget: number;
  private readonly clock: Clock;
  /** The used share of the CPU of all workers, which a test may set. Above 1 no viewer fits. */
  cpuShare = 0;
  private deaths = 0;
  private workers: MemoryWorker<MemoryRoom, MemoryViewer>[];

  constructor({ clock, workers = 1, consumersPerWorker = 400 }: MemoryEngineOptions) {
    this.clock = clock;
    this.budget = consumersPerWorker;
    this.workers = Array.from({ length: workers }, () => this.newWorker());
  }

  get rooms(): MemoryRoom[] {
    return this.workers.flatMap(worker => [...worker.rooms]);
  }

  get publishers(): MemoryPublisher[] {
    return this.rooms.flatMap(room => [...room.publishers]);
  }

  get viewers(): MemoryViewer[] {
    return this.rooms.flatMap(room => [...room.viewers]);
  }

  get feeds(): MemoryFeed[] {
    return this.rooms.flatMap(room => [...room.feeds]);
  }

  async openRoom(meetingID: string): Promise<MemoryRoom> {
    const existing = this.rooms.find(room => room.meetingID === meetingID);
    if (existing) return existing;
    const [worker] = this.workers
      .filter(({ budget }) => !budget.full)
      .sort((a, b) => a.budget.consumers - b.budget.consumers || a.rooms.size - b.rooms.size);
    if (!worker) throw workersFullError();
    return this.newRoom(meetingID, worker);
  }

  async openOnEachWorker(): Promise<MemoryRoom[]> {
    return this.workers.map(worker => this.newRoom('diagnosis', worker));
  }

  load(): EngineLoad {
    const consumers = this.workers.reduce((sum, worker) => sum + worker.budget.consumers, 0);
    const senders = this.rooms.reduce((sum, room) => sum + room.members.senders.size, 0);
    const capacity = this.budget * this.workers.length;
    const publishers = this.publishers.length + senders;
    return describeLoad({ consumers, capacity, publishers, cpuShare: this.cpuShare, cpuGrowth: 0 });
  }

  status(): EngineStatus {
    const workers = this.workers.map(({ pid, budget }, slot) => {
      return { slot, pid, consumers: budget.consumers, utilization: this.cpuShare };
    });
    return { workers, consumersPerWorker: this.budget, workerCpuLimit: 1, deaths: this.deaths, pipes: 0 };
  }

  workerPids(): number[] {
    return this.workers.map(worker => worker.pid);
  }

  /** Simulates the death of a worker process: its rooms are lost and a new worker replaces it. */
  async killWorker(pid = this.workerPids()[0]): Promise<void> {
    const dead = this.workers.find(worker => worker.pid === pid);
    if (!dead) return;
    this.deaths += 1;
    this.workers = this.workers.map(worker => (worker === dead ? this.newWorker() : worker));
    for (const room of dead.rooms) await room.lose();
    for (const viewer of dead.viewers) await viewer.close();
  }

  async close(): Promise<void> {
    for (const room of this.rooms) await room.close();
  }

  private newWorker(): MemoryWorker<MemoryRoom, MemoryViewer> {
    return new MemoryWorker(this.budget, () => this.cpuShare);
  }

  private newRoom(meetingID: string, worker: MemoryWorker<MemoryRoom, MemoryViewer>): MemoryRoom {
    return new MemoryRoom(meetingID, worker, this.clock, () => this.workers);
  }
}
