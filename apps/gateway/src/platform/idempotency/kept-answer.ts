import { errorCatalogue, internalError, ServiceError, type ErrorReason } from '@rtms/contracts';
import { toServiceError } from '@rtms/http';
import { isDatabaseUnavailable } from '../database/database-errors.js';

/** The first answer to a request, as it is stored. */
export type KeptAnswer =
  | { body: unknown }
  | { failure: { reason: string; message: string; details: Record<string, unknown> } };

/** The effect of failed work on the claim. */
export type FailedWork = { kind: 'keep'; answer: KeptAnswer } | { kind: 'release' } | { kind: 'unknown' };

/**
 * Keeps a refusal as the answer. Releases the claim after a refusal that asks for a retry: it did no work. After an unexpected
 * failure, or the loss of the database, the work may have taken effect, so nobody repeats it.
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

/** Returns the first body or throws the first failure. */
export function replay(answer: KeptAnswer): unknown {
  if ('body' in answer) return answer.body;
  const { reason, message, details } = answer.failure;
  throw Object.hasOwn(errorCatalogue, reason)
    ? new ServiceError(reason as ErrorReason, message, details)
    : internalError();
}
