import { ServiceError } from '@rtms/contracts';
import { SerialQueue } from '@rtms/node';
import { currentPool, type PoolName } from '../database/connection-pools.js';
import { Batches } from './batches.js';

interface Line<Queue> {
  queue: Queue;
  /** Waiting and running work. */
  length: number;
}

/** The lines of subjects that have work. */
class Lines<Queue> {
  private readonly lines = new Map<string, Line<Queue>>();

  constructor(
    private readonly longest: number,
    private readonly open: (subject: string) => Queue,
  ) {}

  /** Throws RATE_LIMITED, `too_many_waiting`, if the line of the subject is full. */
  async join<Result>(subject: string, work: (queue: Queue) => Promise<Result>): Promise<Result> {
    const line = this.lines.get(subject) ?? { queue: this.open(subject), length: 0 };
    if (line.length >= this.longest) {
      throw new ServiceError('too_many_waiting', 'Too many requests for this wait already. Try again in a second.');
    }
    this.lines.set(subject, line);
    line.length += 1;
    try {
      return await work(line.queue);
    } finally {
      line.length -= 1;
      if (line.length === 0) this.lines.delete(subject);
    }
  }
}

/**
 * Runs the work of one subject one after the other, and the work of different subjects at the same time. Requests for the same lock in
 * the database wait here, where they hold no connection of the pool.
 */
export class WorkLines {
  private readonly lines: Lines<SerialQueue>;

  /** `longest`: the limit of waiting and running work of one subject. */
  constructor(longest: number) {
    this.lines = new Lines(longest, () => new SerialQueue());
  }

  /** Throws RATE_LIMITED, `too_many_waiting`, if the line of the subject is full. */
  run<Result>(subject: string, work: () => Promise<Result>): Promise<Result> {
    return this.lines.join(subject, queue => queue.run(work));
  }
}

interface BatchLinesOptions<Item> {
  /** The limit of waiting and running items of one subject. */
  longest: number;
  /** Largest number of items in a batch. */
  size: number;
  /** Largest number of batches of one subject at the same time. Default: 1. */
  atOnce?: number;
  /** Must handle all items or none. */
  handle: (subject: string, items: readonly Item[]) => Promise<void>;
}

/**
 * As `WorkLines`, but handles the items of a subject that wait at the same time together, in batches (see `Batches`). A batch uses the
 * connection pool of its items, so requests and background work have lines of their own.
 */
export class BatchLines<Item> {
  private readonly lines: Record<PoolName, Lines<Batches<Item>>>;

  constructor({ longest, size, atOnce = 1, handle }: BatchLinesOptions<Item>) {
    const open = (subject: string) => new Batches<Item>({ size, atOnce, handle: items => handle(subject, items) });
    this.lines = { requests: new Lines(longest, open), background: new Lines(longest, open) };
  }

  /** Resolves after the item is handled. Throws RATE_LIMITED, `too_many_waiting`, if the line of the subject is full. */
  add(subject: string, item: Item): Promise<void> {
    return this.lines[currentPool()].join(subject, batches => batches.add(item));
  }
}
