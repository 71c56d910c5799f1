import type { Clock } from '@rtms/clock';
import { engineCapabilities, enginePayloadProfile } from '../codecs.js';
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
  private deaths = 0;
  private workers: MemoryWorker<MemoryRoom, MemoryViewer>[];

  constructor({ clock, workers = 1, consumersPerWorker = 400 }: MemoryEngineOptions) {
    this.clock = clock;
    this.budget = consumersPerWorker;
    this.workers = Array.from({ length: workers }, () => new MemoryWorker<MemoryRoom, MemoryViewer>(this.budget));
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
    return { consumers, capacity: this.budget * this.workers.length, publishers: this.publishers.length + senders };
  }

  status(): EngineStatus {
    const workers = this.workers.map(({ pid, budget }, slot) => ({ slot, pid, consumers: budget.consumers }));
    return { workers, consumersPerWorker: this.budget, deaths: this.deaths, pipes: 0 };
  }

  workerPids(): number[] {
    return this.workers.map(worker => worker.pid);
  }

  /** Simulates the death of a worker process: its rooms are lost and a new worker replaces it. */
  async killWorker(pid = this.workerPids()[0]): Promise<void> {
    const dead = this.workers.find(worker => worker.pid === pid);
    if (!dead) return;
    this.deaths += 1;
    this.workers = this.workers.map(worker =>
      worker === dead ? new MemoryWorker<MemoryRoom, MemoryViewer>(this.budget) : worker,
    );
    for (const room of dead.rooms) await room.lose();
    for (const viewer of dead.viewers) await viewer.close();
  }

  async close(): Promise<void> {
    for (const room of this.rooms) await room.close();
  }

  private newRoom(meetingID: string, worker: MemoryWorker<MemoryRoom, MemoryViewer>): MemoryRoom {
    return new MemoryRoom(meetingID, worker, this.clock, () => this.workers);
  }
}
