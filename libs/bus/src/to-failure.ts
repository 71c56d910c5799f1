import { RemoteError, type RemoteFailure } from './bus-errors.js';

/**
 * What the caller may know of a handler's error: errors that name their `reason` travel, those that a
 * further responder sent travel on, of anything else only that it went wrong.
 */
export function toFailure(error: unknown): RemoteFailure {
  if (error instanceof RemoteError) return error.failure;
  if (error instanceof Error && hasReason(error)) {
    return { reason: error.reason, message: error.message, ...(error.details && { details: error.details }) };
  }
  return { reason: 'internal_error', message: 'Something went wrong on our side. It is safe to try again.' };
}

function hasReason(error: Error): error is Error & { reason: string; details?: Record<string, unknown> } {
  return 'reason' in error && typeof error.reason === 'string';
}
