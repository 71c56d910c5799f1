import { errorCatalogue, internalError, ServiceError, type ErrorReason } from '@rtms/contracts';
import { toServiceError } from '@rtms/http';
import { isDatabaseUnavailable } from '../database/database-errors.js';

/** The first answer to a request, as it is stored. */
export type KeptAnswer =
  { body: unknown } | { failure: { reason: string; message: string; details: Record<string, unknown> } };

/** What becomes of a claim when the work failed. */
export type FailedWork = { kind: 'keep'; answer: KeptAnswer } | { kind: 'release' } | { kind: 'unknown' };

/**
 * A refusal is an answer like any other. One that asks to come again did nothing: the next request does the work.
 * What nobody foresaw may have taken effect, also when the database was lost just then: it is not done again.
 */
export function judgeFailure(error: unknown): FailedWork {
  const failure = toServiceError(error);
  if (isDatabaseUnavailable(error) || failure.reason === 'internal_error') return { kind: 'unknown' };
  if (failure.status >= 500 || failure.status === 429 || failure.retryAfterSeconds !== undefined) {
    return { kind: 'release' };
  }
  const { reason, message, details } = failure;
  return { kind: 'keep', answer: { failure: { reason, message, details } } };
}

/** Answers as the first time: the body, or by throwing the same failure. */
export function replay(answer: KeptAnswer): unknown {
  if ('body' in answer) return answer.body;
  const { reason, message, details } = answer.failure;
  throw Object.hasOwn(errorCatalogue, reason)
    ? new ServiceError(reason as ErrorReason, message, details)
    : internalError();
}
