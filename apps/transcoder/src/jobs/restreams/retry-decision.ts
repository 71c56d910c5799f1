import type { EndReason, RestreamProblem } from '@rtms/contracts';

/** `again`: the next attempt begins after `delayMs`. */
export type RetryDecision = { do: 'again'; delayMs: number } | { do: 'fail'; reason: EndReason };

interface Patience {
  /** Attempts in a row until the restream fails. */
  attempts: number;
  reason: EndReason;
}

/** About 90 seconds: a wrong key stays wrong, but servers that restart refuse for some seconds. */
const short = 8;
/** About half an hour: a server may be down for longer than it restarts. */
const long = 64;

/** undefined: this node is the cause, or the source; the target gets another attempt without end. */
const patienceOf: Record<RestreamProblem, Patience | undefined> = {
  host_not_found: { attempts: long, reason: 'target_unreachable' },
  connection_refused: { attempts: long, reason: 'target_unreachable' },
  connection_timed_out: { attempts: long, reason: 'target_unreachable' },
  tls_failed: { attempts: short, reason: 'target_unreachable' },
  target_not_allowed: { attempts: 1, reason: 'target_not_allowed' },
  target_refused: { attempts: short, reason: 'target_refused' },
  target_closed: { attempts: short, reason: 'target_refused' },
  target_stalled: { attempts: long, reason: 'target_unreachable' },
  sender_failed: { attempts: short, reason: 'encoder_failed' },
  source_codec_unsupported: { attempts: 1, reason: 'source_codec_unsupported' },
  source_lost: undefined,
  node_draining: undefined,
  node_lost: undefined,
};

const firstDelayMs = 1_000;
const longestDelayMs = 30_000;

/** A target that takes media for this long has accepted the restream, so its attempts count anew. */
export const provenMs = 10_000;

/** Decides after an attempt has failed. `failures`: attempts in a row that failed, this one included. */
export function decideRetry(problem: RestreamProblem, failures: number): RetryDecision {
  const patience = patienceOf[problem];
  if (patience && failures >= patience.attempts) return { do: 'fail', reason: patience.reason };
  return { do: 'again', delayMs: Math.min(longestDelayMs, firstDelayMs * 2 ** Math.max(0, failures - 1)) };
}
