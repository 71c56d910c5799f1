import { NoResponderError, type Bus } from '@rtms/bus';
import type { Clock } from '@rtms/clock';
import { broadcastOrigin } from '@rtms/contracts';
import { LRUCache } from 'lru-cache';

interface Answer {
  /** undefined: nobody has the broadcast. */
  internalUrl: string | undefined;
}

/** A broadcast stays where it is; a node that goes is noticed by the failing request at the latest. */
const foundMs = 10_000;
/** Short: a broadcast that starts must be found soon. */
const missingMs = 500;
const deadlineMs = 2_000;

/** Finds the other node that has a broadcast's files. Asks the bus, but not again for each player. */
export class OriginLookup {
  private readonly answers: LRUCache<string, Answer>;

  constructor(
    private readonly bus: Bus,
    clock: Clock,
  ) {
    this.answers = new LRUCache<string, Answer>({
      max: 1_000,
      perf: clock,
      // Otherwise the cache remembers the time for a while, by a timer of its own.
      ttlResolution: 0,
      fetchMethod: async (broadcastID, _stale, { options }) => {
        const answer = await this.ask(broadcastID);
        options.ttl = answer.internalUrl === undefined ? missingMs : foundMs;
        return answer;
      },
    });
  }

  /** undefined: no node has it. Throws what the bus throws when it cannot say. */
  async find(broadcastID: string): Promise<string | undefined> {
    return (await this.answers.fetch(broadcastID))?.internalUrl;
  }

  /** What was answered turned out wrong. */
  forget(broadcastID: string): void {
    this.answers.delete(broadcastID);
  }

  private async ask(broadcastID: string): Promise<Answer> {
    try {
      return await this.bus.request(broadcastOrigin.forResource(broadcastID), {}, { deadlineMs });
    } catch (error) {
      if (error instanceof NoResponderError) return { internalUrl: undefined };
      throw error;
    }
  }
}
