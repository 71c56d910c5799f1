import { type EngineLoad, workersFullError } from './media-engine.js';

/** Most viewers receive two tracks: audio and video. */
export const tracksOfViewer = 2;

/** Returns a function that acts at its first call only. */
function once(act: () => void): () => void {
  let isDue = true;
  return () => {
    if (isDue) act();
    isDue = false;
  };
}

/** Limits the tracks that one media worker sends at a time. `WorkerLoad` usually refuses earlier. */
export class ConsumerBudget {
  consumers = 0;
  private arriving = 0;

  constructor(readonly limit: number) {}

  get full(): boolean {
    return this.consumers >= this.limit;
  }

  /** Free tracks. Counts accepted viewers with their future tracks, so that simultaneous viewers spread over the workers. */
  get roomLeft(): number {
    return this.limit - this.consumers - this.arriving * tracksOfViewer;
  }

  /** Adds tracks; a negative count releases them. Throws `capacity_reached` if the budget is used up. */
  reserve(count: number): void {
    if (count > 0 && this.consumers + count > this.limit) throw workersFullError();
    this.consumers += count;
  }

  /** Reserves space for a viewer. Call the returned function when the viewer starts or fails. */
  expectViewer(): () => void {
    this.arriving++;
    return once(() => this.arriving--);
  }
}

/** CPU seconds of a packet before anything is measured, from docs/scaling.md. */
const usualCost = 25e-6;
/** Weight of the usual cost beside the measured packets. Few packets measure the fixed costs of a worker, not their own. */
const usualWeight = 50_000;
/**
 * CPU seconds of a viewer's ICE and DTLS handshake, counted as if all connecting viewers needed them within one second.
 * `bench:admission` measured 1.2 ms.
 */
const joiningCost = 2e-3;
/** Seconds after which a measurement has half its weight. */
const halfLife = { utilization: 2, cost: 30 };
/** Seconds over which the growth is measured. */
const growthSeconds = 60;

/** Processor time of a media worker since its start, in seconds. `at` is in seconds too. */
export interface CpuSample {
  at: number;
  cpuSeconds: number;
}

/**
 * Measures how much of its core a media worker uses and what a packet costs, and predicts both with further viewers. A worker
 * loses packets if it has too little time for them, so viewers are refused before.
 */
export class WorkerLoad {
  /** Share of a core that the worker uses, 0 to 1, smoothed. */
  utilization = 0;
  private last: (CpuSample & { rate: number }) | undefined;
  /** Packets a second that `utilization` covers. */
  private coveredRate = 0;
  private measured = { cpuSeconds: 0, packets: 0 };
  private arriving = { viewers: 0, rate: 0 };
  private readonly history: { at: number; utilization: number }[] = [];

  /** `rate`: packets a second that the worker receives and sends now. `limit`: the share of a core that viewers may use. */
  constructor(
    readonly limit: number,
    private readonly rate: () => number,
  ) {}

  /** CPU seconds a packet. */
  get cost(): number {
    const { cpuSeconds, packets } = this.measured;
    return (cpuSeconds + usualCost * usualWeight) / (packets + usualWeight);
  }

  /** The utilization once everything that was accepted after the last measurement, or still connects, is measured. */
  get forecast(): number {
    const { viewers, rate } = this.arriving;
    const uncovered = Math.max(0, this.rate() - this.coveredRate) + rate;
    return this.utilization + uncovered * this.cost + viewers * joiningCost;
  }

  /** The used share of the limit, 0 to 1. */
  get share(): number {
    return Math.min(1, this.forecast / this.limit);
  }

  /** Growth of the used share of the limit in a second. Negative: the load falls. */
  get growth(): number {
    const [first, last] = [this.history[0], this.history.at(-1)];
    if (!first || !last || last.at <= first.at) return 0;
    return (last.utilization - first.utilization) / (last.at - first.at) / this.limit;
  }

  /** Whether a viewer of so many packets a second fits. `keptShare` of the limit stays free. */
  admits(rate: number, keptShare = 0): boolean {
    return this.forecast + rate * this.cost + joiningCost <= this.limit * (1 - keptShare);
  }

  /** Counts a viewer until it starts or fails. Call the returned function then. */
  expectViewer(rate: number): () => void {
    this.arriving.viewers++;
    this.arriving.rate += rate;
    return once(() => {
      this.arriving.viewers--;
      this.arriving.rate -= rate;
    });
  }

  /** Takes a measurement. Call it every few seconds. */
  note({ at, cpuSeconds }: CpuSample): void {
    const rate = this.rate();
    const { last } = this;
    this.last = { at, cpuSeconds, rate };
    if (!last || at <= last.at) return;
    const seconds = at - last.at;
    const used = cpuSeconds - last.cpuSeconds;
    const meanRate = (rate + last.rate) / 2;
    const kept = this.history.length === 0 ? 0 : 0.5 ** (seconds / halfLife.utilization);
    this.utilization = this.utilization * kept + (used / seconds) * (1 - kept);
    this.coveredRate = this.coveredRate * kept + meanRate * (1 - kept);
    const old = 0.5 ** (seconds / halfLife.cost);
    this.measured = {
      cpuSeconds: this.measured.cpuSeconds * old + used,
      packets: this.measured.packets * old + meanRate * seconds,
    };
    this.history.push({ at, utilization: this.utilization });
    while ((this.history[0]?.at ?? at) < at - growthSeconds) this.history.shift();
  }
}

interface LimitedWorker {
  readonly budget: Pick<ConsumerBudget, 'limit' | 'roomLeft'>;
  readonly load: Pick<WorkerLoad, 'admits' | 'share'>;
}

/** This share of a worker's budget and CPU is reserved for members and for other rooms. */
const keptShare = 0.1;

/** The number of reserved tracks of a worker. */
export function keptOf(limit: number): number {
  return Math.floor(limit * keptShare);
}

/** The workers to choose from, and the packets a second of the viewer. */
export interface Placement<Worker> {
  /** The room's own worker. */
  own: Worker;
  workers: readonly Worker[];
  rate: number;
  /** Whether a worker already receives the room's tracks. */
  isCopiedTo?: (worker: Worker) => boolean;
}

/**
 * Chooses the worker for a room's next viewer: the room's own worker if it has tracks and CPU left. Else prefers a worker that
 * already receives the room's tracks, then the one with the largest free share. Undefined if all are full.
 */
export function findPlace<Worker extends LimitedWorker>(placement: Placement<Worker>): Worker | undefined {
  const { own, workers, rate, isCopiedTo = () => false } = placement;
  const isOwnFree = own.budget.roomLeft - tracksOfViewer >= keptOf(own.budget.limit);
  if (isOwnFree && own.load.admits(rate, keptShare)) return own;
  const rank = (worker: Worker): number => (isCopiedTo(worker) ? 1 : 0);
  const [best] = workers
    .filter(worker => worker !== own && worker.budget.roomLeft >= tracksOfViewer && worker.load.admits(rate))
    .sort((a, b) => rank(b) - rank(a) || freeShare(b) - freeShare(a));
  return best;
}

function freeShare({ budget, load }: LimitedWorker): number {
  return Math.min(budget.roomLeft / budget.limit, 1 - load.share);
}

/**
 * As `findPlace`, but uses the reserve of the room's own worker if all are full. Throws `capacity_reached` if its CPU has no
 * reserve; its budget refuses the viewer's tracks.
 */
export function placeViewer<Worker extends LimitedWorker>(placement: Placement<Worker>): Worker {
  const place = findPlace(placement);
  if (!place && !placement.own.load.admits(placement.rate)) throw workersFullError();
  return place ?? placement.own;
}

/** A load that does not grow, or slowly, needs no attention within this time. In seconds. */
const longestForecast = 3_600;

/** The load of a node, from the tracks and CPU of its workers together. */
export function describeLoad({
  cpuShare,
  cpuGrowth,
  ...counts
}: Pick<EngineLoad, 'consumers' | 'capacity' | 'publishers'> & { cpuShare: number; cpuGrowth: number }): EngineLoad {
  const utilization = Math.min(1, Math.max(counts.consumers / counts.capacity, cpuShare));
  const used = Math.max(counts.consumers, Math.floor(utilization * counts.capacity));
  const seconds = cpuGrowth > 0 ? (1 - cpuShare) / cpuGrowth : longestForecast;
  return { ...counts, utilization, used, secondsUntilFull: Math.min(longestForecast, Math.max(0, seconds)) };
}
