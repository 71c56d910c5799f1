import { workersFullError } from './media-engine.js';

/** Most viewers receive two tracks: audio and video. */
export const tracksOfViewer = 2;

/** Limits the tracks that one media worker sends at a time. */
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
    let expected = true;
    return () => {
      if (expected) this.arriving--;
      expected = false;
    };
  }
}

interface BudgetedWorker {
  readonly budget: Pick<ConsumerBudget, 'limit' | 'roomLeft'>;
}

/** This share of a worker's budget is reserved for members and for other rooms. */
const keptShare = 0.1;

/** The number of reserved tracks of a worker. */
export function keptOf(limit: number): number {
  return Math.floor(limit * keptShare);
}

/**
 * Chooses the worker for a room's next viewer: the room's own worker if it has free tracks. Else prefers a worker that
 * already receives the room's tracks, then the worker with the most free tracks. Undefined if all are full.
 */
export function findPlace<Worker extends BudgetedWorker>(
  own: Worker,
  workers: readonly Worker[],
  isCopiedTo: (worker: Worker) => boolean = () => false,
): Worker | undefined {
  if (own.budget.roomLeft - tracksOfViewer >= keptOf(own.budget.limit)) return own;
  const rank = (worker: Worker): number => (isCopiedTo(worker) ? 1 : 0);
  const [best] = workers
    .filter(worker => worker !== own && worker.budget.roomLeft >= tracksOfViewer)
    .sort((a, b) => rank(b) - rank(a) || b.budget.roomLeft - a.budget.roomLeft);
  return best;
}

/** As `findPlace`, but returns the room's own worker if all are full. The budget of that worker then refuses the viewer. */
export function placeViewer<Worker extends BudgetedWorker>(
  own: Worker,
  workers: readonly Worker[],
  isCopiedTo: (worker: Worker) => boolean,
): Worker {
  return findPlace(own, workers, isCopiedTo) ?? own;
}
