import { catalogueEntry, errorStatus, type ErrorCode, type ErrorReason, type Fault } from './errors.js';

/** The body of every failure, over HTTP and over the bus. */
export interface FailureBody {
  success: false;
  error: string;
  code: ErrorCode;
  reason?: string;
}

/**
 * A failure with its case from the catalogue and a message that is safe to show to a caller.
 * `details` are further public members of the body (e.g. `payloadProfile` of a 406).
 */
export class ServiceError extends Error {
  readonly code: ErrorCode;
  readonly fault: Fault;
  readonly status: number;
  readonly retryAfterSeconds: number | undefined;

  constructor(
    readonly reason: ErrorReason,
    message: string,
    readonly details: Record<string, unknown> = {},
  ) {
    super(message);
    this.name = 'ServiceError';
    const entry = catalogueEntry(reason);
    this.code = entry.code;
    this.fault = entry.fault;
    this.status = entry.status ?? errorStatus[entry.code];
    this.retryAfterSeconds = entry.retryAfterSeconds;
  }

  toBody(): FailureBody {
    return { success: false, error: this.message, code: this.code, reason: publicReason(this.reason), ...this.details };
  }
}

/** A full room and full workers share the name `capacity_reached`; their codes tell them apart. */
function publicReason(reason: ErrorReason): string {
  return reason === 'room_full' ? 'capacity_reached' : reason;
}

/** What a caller sees of a failure that nobody foresaw. */
export function internalError(): ServiceError {
  return new ServiceError('internal_error', 'Something went wrong on our side. It is safe to try again.');
}
