import { NoResponderError, type Bus } from '@rtms/bus';
import type { Clock } from '@rtms/clock';
import { broadcastOrigin, endpointState, type BroadcastOrigin } from '@rtms/contracts';
import { LRUCache } from 'lru-cache';

interface Answer {
  /** undefined: no node has the broadcast. */
  origin: BroadcastOrigin | undefined;
  /** The broadcast has ended, and no node has its files. */
  hasEnded: boolean;
}

const missing: Answer = { origin: undefined, hasEnded: false };
const over: Answer = { origin: undefined, hasEnded: true };

/** Broadcasts rarely move. A failed request detects a lost node before the entry expires. */
const foundMs = 10_000;
/** Short, so that a new broadcast is found soon. */
const missingMs = 500;
/** Long, because an ended broadcast never returns. */
const endedMs = 600_000;
const deadlineMs = 2_000;

/**
 * Finds the node with a broadcast's files, or that the broadcast has ended. Caches the replies of the bus for all players. While the
 * bus is away, the last reply counts.
 */
export class OriginLookup {
  private readonly answers: LRUCache<string, Answer>;

  constructor(
    private readonly bus: Bus,
    clock: Clock,
  ) {
    this.answers = new LRUCache<string, Answer>({
      max: 1_000,
      perf: clock,
      // Otherwise the cache reads the time by its own timer, which a manual clock cannot move.
      ttlResolution: 0,
      fetchMethod: async (broadcastID, stale, { options }) => {
        const answer = await this.askOrKeep(broadcastID, stale === missing ? undefined : stale);
        options.ttl = lifetimeOf(answer);
        return answer;
      },
    });
  }

  /** Returns undefined if no node has the broadcast. Throws the bus error if the bus gives no answer. */
  async find(broadcastID: string): Promise<BroadcastOrigin | undefined> {
    return (await this.answers.fetch(broadcastID))?.origin;
  }

  /** Whether the broadcast has ended, for a broadcast that `find` did not find. False if no gateway knows it. */
  hasEnded(broadcastID: string): boolean {
    return this.answers.get(broadcastID)?.hasEnded ?? false;
  }

  /** Deletes a wrong entry, unless the bus is away and could not replace it. */
  forget(broadcastID: string): void {
    if (this.bus.isConnected()) this.answers.delete(broadcastID);
  }

  /** Keeps the last reply while the bus gives none. */
  private async askOrKeep(broadcastID: string, last: Answer | undefined): Promise<Answer> {
    if (last && !this.bus.isConnected()) return last;
    try {
      return await this.ask(broadcastID);
    } catch (error) {
      // A silent bus is not known to be away at first.
      if (last) return last;
      throw error;
    }
  }

  private async ask(broadcastID: string): Promise<Answer> {
    try {
      const origin = await this.bus.request(broadcastOrigin.forResource(broadcastID), {}, { deadlineMs });
      return { origin, hasEnded: false };
    } catch (error) {
      // Without a bus there is no responder either, which proves nothing.
      if (error instanceof NoResponderError && this.bus.isConnected()) return this.askGateway(broadcastID);
      throw error;
    }
  }

  /** Gateways of earlier versions answer `unknown` for broadcasts, so players may retry then. */
  private async askGateway(broadcastID: string): Promise<Answer> {
    const question = { protocol: 'hls', resourceID: broadcastID } as const;
    return this.bus.request(endpointState, question, { deadlineMs }).then(
      ({ state }) => (state === 'ended' ? over : missing),
      () => missing,
    );
  }
}

function lifetimeOf({ origin, hasEnded }: Answer): number {
  if (hasEnded) return endedMs;
  return origin === undefined ? missingMs : foundMs;
}
