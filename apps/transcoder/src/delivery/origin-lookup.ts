import { NoResponderError, type Bus } from '@rtms/bus';
import type { Clock } from '@rtms/clock';
import { broadcastOrigin, endpointState } from '@rtms/contracts';
import { LRUCache } from 'lru-cache';

interface Answer {
  /** undefined: no node has the broadcast. */
  internalUrl: string | undefined;
  /** The broadcast has ended, and no node has its files any more. */
  hasEnded: boolean;
}

const missing: Answer = { internalUrl: undefined, hasEnded: false };
const over: Answer = { internalUrl: undefined, hasEnded: true };

/** A broadcast stays where it is; a node that goes is noticed by the failing request at the latest. */
const foundMs = 10_000;
/** Short: a broadcast that starts must be found soon. */
const missingMs = 500;
/** An ended broadcast never returns. */
const endedMs = 600_000;
const deadlineMs = 2_000;

/** Finds the other node that has a broadcast's files, or that the broadcast has ended. Asks the bus, but not again for each player. */
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
        options.ttl = lifetimeOf(answer);
        return answer;
      },
    });
  }

  /** undefined: no node has it. Throws what the bus throws when it cannot say. */
  async find(broadcastID: string): Promise<string | undefined> {
    return (await this.answers.fetch(broadcastID))?.internalUrl;
  }

  /** Of a broadcast that `find` found nowhere; false while no gateway knows it. */
  hasEnded(broadcastID: string): boolean {
    return this.answers.get(broadcastID)?.hasEnded ?? false;
  }

  /** What was answered turned out wrong. */
  forget(broadcastID: string): void {
    this.answers.delete(broadcastID);
  }

  private async ask(broadcastID: string): Promise<Answer> {
    try {
      const { internalUrl } = await this.bus.request(broadcastOrigin.forResource(broadcastID), {}, { deadlineMs });
      return { internalUrl, hasEnded: false };
    } catch (error) {
      if (error instanceof NoResponderError) return this.askGateway(broadcastID);
      throw error;
    }
  }

  /** A gateway of a former version knows no broadcasts here: players of `unknown` ones may retry. */
  private async askGateway(broadcastID: string): Promise<Answer> {
    const question = { protocol: 'hls', resourceID: broadcastID } as const;
    return this.bus.request(endpointState, question, { deadlineMs }).then(
      ({ state }) => (state === 'ended' ? over : missing),
      () => missing,
    );
  }
}

function lifetimeOf({ internalUrl, hasEnded }: Answer): number {
  if (hasEnded) return endedMs;
  return internalUrl === undefined ? missingMs : foundMs;
}
