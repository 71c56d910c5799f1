import type { ErrorCode, ErrorReason } from './generated/errors.js';

/** Codes of failures that the gateway did not answer. */
export type ClientErrorCode =
  | 'connection_failed'
  | 'timeout'
  | 'unexpected_answer'
  | 'not_active'
  | 'webhook_rejected'
  | 'invalid_option';

interface ErrorFields {
  code: ErrorCode | ClientErrorCode;
  reason?: string | undefined;
  status?: number | undefined;
  requestID?: string | undefined;
  retryable?: boolean;
  cause?: unknown;
}

/** Every failure of the SDK, except an abort by the caller's own signal. */
export class RtmsError extends Error {
  override readonly name: string = 'RtmsError';
  /** Kind of failure. Branch on this, not on the message. */
  readonly code: ErrorCode | ClientErrorCode;
  /** Exact cause. Later gateways may add reasons. */
  readonly reason: ErrorReason | (string & {}) | undefined;
  /** HTTP status of the answer, if there was one. */
  readonly status: number | undefined;
  /** Identifier of the request in the logs of the service. */
  readonly requestID: string | undefined;
  /** Whether the same call may succeed later. The SDK has retried it already. */
  readonly retryable: boolean;

  constructor(message: string, { code, reason, status, requestID, retryable = false, cause }: ErrorFields) {
    super(message, cause === undefined ? {} : { cause });
    this.code = code;
    this.reason = reason;
    this.status = status;
    this.requestID = requestID;
    this.retryable = retryable;
  }
}

/** The gateway answered a failure. Each code has its own subclass, such as `RtmsNotFoundError`. */
export class RtmsApiError extends RtmsError {
  override readonly name: string = 'RtmsApiError';
  /** Members of the body besides `error`, `code` and `reason`, such as `limit` of `limit_reached`. */
  readonly details: Readonly<Record<string, unknown>>;

  constructor(message: string, { details = {}, ...fields }: ErrorFields & { details?: Record<string, unknown> }) {
    super(message, fields);
    this.details = details;
  }
}

/** No answer arrived: the connection failed (`connection_failed`), or the time was over (`timeout`). */
export class RtmsConnectionError extends RtmsError {
  override readonly name = 'RtmsConnectionError';
}

/** The external session or broadcast has ended or failed, or did not become active in time. `reason` is its `endReason`. */
export class RtmsNotActiveError extends RtmsError {
  override readonly name = 'RtmsNotActiveError';
}

/** The request is no delivery of this webhook. `reason` is `invalid_signature` or `invalid_body`. Answer 401. */
export class RtmsWebhookError extends RtmsError {
  override readonly name = 'RtmsWebhookError';
}
