import type { Clock } from '@rtms/clock';
import { MediaWorker, type EngineLogger, type MediaWorkerOptions } from './media-worker.js';

/** Between attempts to replace a worker that does not start: doubles from the first to the second, in ms. */
const retryDelays = { first: 100, longest: 5_000 };

/** Keeps a fixed number of media workers running: one that died is replaced at its own port. */
export class WorkerSupervisor {
  private readonly slots: (MediaWorker | undefined)[] = [];
  private readonly replacements = new Set<Promise<void>>();
  private readonly closing = new AbortController();
  /** How many ended without being told to. */
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

  /** Those that run now. */
  get workers(): MediaWorker[] {
    return this.slots.filter(worker => worker !== undefined);
  }

  /** Those that run now, by their places. */
  get placed(): { slot: number; worker: MediaWorker }[] {
    return this.slots.flatMap((worker, slot) => (worker ? [{ slot, worker }] : []));
  }

  /** Those that run, once a replacement under way has come up if none does. */
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
    this.logger.error({ pid: worker.pid, slot }, 'Media worker died; replacing it');
    if (this.closed) return;
    const replacement = this.replace(slot).finally(() => this.replacements.delete(replacement));
    this.replacements.add(replacement);
  }

  private async replace(slot: number): Promise<void> {
    for (let delay = retryDelays.first; !this.closed; delay = Math.min(delay * 2, retryDelays.longest)) {
      try {
        return await this.fill(slot);
      } catch (error) {
        this.logger.error({ err: error, slot }, 'A media worker could not be started; trying again');
        await this.clock.pause(delay, this.closing.signal);
      }
    }
  }
}
