import { ServiceError } from '@rtms/contracts';
import { SerialQueue } from '@rtms/node';

interface Line {
  queue: SerialQueue;
  /** Waiting and running work. */
  length: number;
}

/**
 * Runs the work of one subject one after the other, and the work of different subjects at the same time. Requests for the same lock in
 * the database wait here, where they hold no connection of the pool.
 */
export class WorkLines {
  private readonly lines = new Map<string, Line>();

  /** `longest`: the limit of waiting and running work of one subject. */
  constructor(private readonly longest: number) {}

  /** Throws RATE_LIMITED, `too_many_waiting`, if the line of the subject is full. */
  async run<Result>(subject: string, work: () => Promise<Result>): Promise<Result> {
    const line = this.lines.get(subject) ?? { queue: new SerialQueue(), length: 0 };
    if (line.length >= this.longest) {
      throw new ServiceError('too_many_waiting', 'Too many requests for this wait already. Try again in a second.');
    }
    this.lines.set(subject, line);
    line.length += 1;
    try {
      return await line.queue.run(work);
    } finally {
      line.length -= 1;
      if (line.length === 0) this.lines.delete(subject);
    }
  }
}
