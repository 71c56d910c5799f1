import { workersFullError } from './media-errors.js';

/** What most viewers are sent: audio and video. */
export const tracksOfViewer = 2;

/** How many tracks one media worker may send at a time. */
export class ConsumerBudget {
  consumers = 0;
  private arriving = 0;

  constructor(readonly limit: number) {}

  get full(): boolean {
    return this.consumers >= this.limit;
  }

  /** Viewers who have been let in count with what they will be sent, so that many who come at once spread. */
  get roomLeft(): number {
    return this.limit - this.consumers - this.arriving * tracksOfViewer;
  }

  /** Counts tracks, negative when they end; throws `capacity_reached` when the budget is used up. */
  reserve(count: number): void {
    if (count > 0 && this.consumers + count > this.limit) throw workersFullError();
    this.consumers += count;
  }

  /** Somebody will soon be sent tracks here; returns what to call when that is so, or will not be. */
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

/** Of the budget of a room's own worker this share is kept for its members and for other rooms. */
const keptShare = 0.1;

/** How many tracks of such a worker are kept. */
export function keptOf(limit: number): number {
  return Math.floor(limit * keptShare);
}

/**
 * The worker of a room's next viewer: the room's own as long as it has room, then one that the room's tracks are copied to
 * already, then the one with the most room. Undefined when none has any beside what is kept.
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

/** As `findPlace`; the room's own again when there is none, to refuse if it must. */
export function placeViewer<Worker extends BudgetedWorker>(
  own: Worker,
  workers: readonly Worker[],
  isCopiedTo: (worker: Worker) => boolean,
): Worker {
  return findPlace(own, workers, isCopiedTo) ?? own;
}
