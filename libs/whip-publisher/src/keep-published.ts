import type { Clock } from '@rtms/clock';
import { WhipRefusal, type WhipPublisher, type WhipTarget } from './whip-publisher.js';

/** Without a connection for longer, the publication ends. */
const patienceMs = 60_000;
/** After the loss of a connection, which another node can replace at once. */
const shortestPauseMs = 100;
const firstPauseMs = 500;
const longestPauseMs = 5_000;
/** A shorter connection is no success: pauses continue to grow. */
const steadyAfterMs = 5_000;

/** These answers may change later: too many requests, no free node, a node that does not answer. */
const passingStatus = [408, 429, 502, 503, 504];

/** A refusal for one of these reasons means that the session has ended. */
export const endedReasons: readonly string[] = ['session_ended', 'room_ended', 'not_found'];

export interface Publication {
  clock: Clock;
  /** Stops the publication. */
  signal: AbortSignal;
  target: WhipTarget;
  /**
   * Asks for a new token before each attempt but the first, because a token is short-lived. Also for the address, because the session may have
   * moved. Resolves with undefined once the session has ended. When it rejects, the former target is tried again.
   */
  renew?: (() => Promise<WhipTarget | undefined>) | undefined;
  /** A former connection of this publisher may still count as the session's publisher for some seconds. */
  isReturning?: boolean;
  open: () => WhipPublisher;
  /** Sends media until `publisher.lost`, which also follows a stop. When it rejects, the publication ends with its error. */
  send: (publisher: WhipPublisher) => Promise<unknown>;
  /** Another attempt follows after the pause, unless this throws. */
  onProblem: (error: unknown, pauseMs: number, wasConnected: boolean) => void;
  /** Stopping ends the session too. Otherwise the session waits for its publisher during the grace time. */
  endsSession?: boolean;
}

/** `ended`: by the service, after a connection. `unreachable`: no connection for a minute. */
export type PublicationEnd = 'stopped' | 'ended' | 'unreachable';

/**
 * Publishes by one connection after the other. Rejects with the `WhipRefusal` that another attempt would not change, and with errors of `send`
 * and `onProblem`.
 */
export async function keepPublished(publication: Publication): Promise<PublicationEnd> {
  const { clock, signal, renew, onProblem } = publication;
  const attempts = new Attempts(clock, publication.isReturning ?? false);
  let target: WhipTarget | undefined = publication.target;
  while (target !== undefined) {
    const problem = await connectOnce(publication, target, attempts);
    if (signal.aborted) return 'stopped';
    const meaning = meaningOf(problem, attempts, renew !== undefined);
    attempts.mayHold ||= !(problem instanceof WhipRefusal);
    if (meaning === 'refused') throw problem;
    if (meaning === 'ended') return 'ended';
    const pauseMs = attempts.nextPause();
    if (pauseMs === undefined) return 'unreachable';
    onProblem(problem, pauseMs, attempts.wasConnected);
    await clock.pause(pauseMs, signal);
    if (renew) target = await renew().catch(() => target);
  }
  return 'ended';
}

/** Remembers for how long there was no connection. */
class Attempts {
  /** The service may still take an earlier attempt, which it did not refuse, for the session's publisher. */
  mayHold: boolean;
  private connectedAt = 0;
  private lostAt: number;
  private pauseMs = firstPauseMs;

  constructor(
    private readonly clock: Clock,
    public wasConnected: boolean,
  ) {
    this.mayHold = wasConnected;
    this.lostAt = clock.now();
  }

  connected(): void {
    this.wasConnected = true;
    this.connectedAt = this.clock.now();
  }

  lost(): Error {
    this.lostAt = this.clock.now();
    if (this.lostAt - this.connectedAt >= steadyAfterMs) this.pauseMs = shortestPauseMs;
    return new Error('The connection was lost.');
  }

  /** undefined: enough. */
  nextPause(): number | undefined {
    if (this.clock.now() - this.lostAt > patienceMs) return undefined;
    const { pauseMs } = this;
    this.pauseMs = Math.min(Math.max(pauseMs * 2, firstPauseMs), longestPauseMs);
    return pauseMs;
  }
}

/** One connection to its end. Returns why another one is needed. */
async function connectOnce(
  { signal, open, send, endsSession = false }: Publication,
  target: WhipTarget,
  attempts: Attempts,
): Promise<unknown> {
  if (signal.aborted) return undefined;
  const publisher = open();
  let left: Promise<unknown> = Promise.resolve();
  const stop = (): void => {
    left = (endsSession ? publisher.leave() : left).catch(() => undefined).finally(() => publisher.close());
  };
  signal.addEventListener('abort', stop, { once: true });
  try {
    const problem = await publisher.connect(target).then(
      () => undefined,
      (error: unknown) => error,
    );
    if (problem !== undefined) return problem;
    attempts.connected();
    await send(publisher);
    return attempts.lost();
  } finally {
    signal.removeEventListener('abort', stop);
    await left;
    publisher.close();
  }
}

function meaningOf(error: unknown, attempts: Attempts, canRenew: boolean): 'again' | 'ended' | 'refused' {
  const { wasConnected, mayHold } = attempts;
  if (!(error instanceof WhipRefusal) || passingStatus.includes(error.status)) return 'again';
  if (error.reason === 'already_publishing' && mayHold) return 'again';
  // The session may have moved to another node. `renew` knows whether it has ended.
  if (['token_expired', 'not_found'].includes(error.reason) && canRenew) return 'again';
  return wasConnected && endedReasons.includes(error.reason) ? 'ended' : 'refused';
}
