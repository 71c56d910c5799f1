/** No service has a responder at the address. The command was not executed. */
export class NoResponderError extends Error {
  constructor(readonly subject: string) {
    super(`no service responds at ${subject}`);
    this.name = 'NoResponderError';
  }
}

/** No reply before the deadline. The responder may have executed the command. */
export class DeadlineError extends Error {
  constructor(readonly subject: string) {
    super(`no reply from ${subject} before the deadline`);
    this.name = 'DeadlineError';
  }
}

/** Body of a failed reply. */
export interface RemoteFailure {
  reason: string;
  message: string;
  details?: Record<string, unknown>;
}

/** The responder replied with a failure. */
export class RemoteError extends Error {
  constructor(readonly failure: RemoteFailure) {
    super(failure.message);
    this.name = 'RemoteError';
  }
}

/** The NATS server refuses this client because of its configuration. A retry cannot succeed. */
export class BusRefusedError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'BusRefusedError';
  }
}

/** The NATS permissions of this service do not include the subject. */
export class BusPermissionError extends Error {
  constructor(readonly subject: string) {
    super(`NATS permissions do not allow this service to use ${subject}`);
    this.name = 'BusPermissionError';
  }
}

/**
 * Converts a handler's error to the failure that the caller receives. An error with a `reason` and a failure from another
 * responder keep their text. Any other error becomes `internal_error`, because its text may hold internal details.
 */
export function toFailure(error: unknown): RemoteFailure {
  if (error instanceof RemoteError) return error.failure;
  if (error instanceof Error && hasReason(error)) {
    return { reason: error.reason, message: error.message, ...(error.details && { details: error.details }) };
  }
  return { reason: 'internal_error', message: 'Internal error. You can safely repeat the request.' };
}

function hasReason(error: Error): error is Error & { reason: string; details?: Record<string, unknown> } {
  return 'reason' in error && typeof error.reason === 'string';
}
