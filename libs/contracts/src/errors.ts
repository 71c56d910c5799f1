/** HTTP status by error code. Clients branch on the codes, so a code never changes. */
export const errorStatus = {
  BAD_REQUEST: 400,
  UNAUTHORIZED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  PAYLOAD_TYPE_MISMATCH: 406,
  CONFLICT: 409,
  RATE_LIMITED: 429,
  INTERNAL_ERROR: 500,
  SERVICE_UNAVAILABLE: 503,
} as const;
export type ErrorCode = keyof typeof errorStatus;

/** The side that caused a failure. It sets the log level: caller is info, destination is warn, ours is error. */
export type Fault = 'caller' | 'destination' | 'ours';

interface CatalogueEntry {
  code: ErrorCode;
  fault: Fault;
  /** Overrides the HTTP status of the code. */
  status?: number;
  /** Value of the `Retry-After` header, seconds. */
  retryAfterSeconds?: number;
}

/** All failures. The key is the public `reason`. */
export const errorCatalogue = {
  invalid_request: { code: 'BAD_REQUEST', fault: 'caller' },
  unknown_field: { code: 'BAD_REQUEST', fault: 'caller' },
  unknown_action: { code: 'BAD_REQUEST', fault: 'caller' },
  malformed_json: { code: 'BAD_REQUEST', fault: 'caller' },
  headers_too_large: { code: 'BAD_REQUEST', fault: 'caller', status: 431 },
  request_timeout: { code: 'BAD_REQUEST', fault: 'caller', status: 408 },
  body_too_large: { code: 'BAD_REQUEST', fault: 'caller', status: 413 },
  unsupported_media_type: { code: 'BAD_REQUEST', fault: 'caller', status: 415 },
  method_not_allowed: { code: 'BAD_REQUEST', fault: 'caller', status: 405 },
  malformed_sdp: { code: 'BAD_REQUEST', fault: 'caller' },
  unacceptable_offer: { code: 'BAD_REQUEST', fault: 'caller', status: 422 },
  precondition_required: { code: 'BAD_REQUEST', fault: 'caller', status: 428 },
  precondition_failed: { code: 'BAD_REQUEST', fault: 'caller', status: 412 },
  range_not_satisfiable: { code: 'BAD_REQUEST', fault: 'caller', status: 416 },
  invalid_credentials: { code: 'UNAUTHORIZED', fault: 'caller' },
  second_factor_required: { code: 'UNAUTHORIZED', fault: 'caller' },
  key_expired: { code: 'UNAUTHORIZED', fault: 'caller' },
  key_revoked: { code: 'UNAUTHORIZED', fault: 'caller' },
  key_disabled: { code: 'UNAUTHORIZED', fault: 'caller' },
  token_expired: { code: 'UNAUTHORIZED', fault: 'caller' },
  path_not_signed: { code: 'FORBIDDEN', fault: 'caller' },
  operation_not_granted: { code: 'FORBIDDEN', fault: 'caller' },
  origin_not_allowed: { code: 'FORBIDDEN', fault: 'caller' },
  csrf_token_missing: { code: 'FORBIDDEN', fault: 'caller' },
  confirmation_required: { code: 'FORBIDDEN', fault: 'caller' },
  wrong_password: { code: 'FORBIDDEN', fault: 'caller' },
  wrong_code: { code: 'FORBIDDEN', fault: 'caller' },
  feature_disabled: { code: 'FORBIDDEN', fault: 'caller' },
  not_entitled: { code: 'FORBIDDEN', fault: 'caller' },
  balance_exhausted: { code: 'FORBIDDEN', fault: 'caller' },
  account_disabled: { code: 'FORBIDDEN', fault: 'caller' },
  limit_reached: { code: 'FORBIDDEN', fault: 'caller' },
  sub_user_disabled: { code: 'FORBIDDEN', fault: 'caller' },
  wrong_secure_code: { code: 'FORBIDDEN', fault: 'caller' },
  role_not_allowed: { code: 'FORBIDDEN', fault: 'caller' },
  not_permitted: { code: 'FORBIDDEN', fault: 'caller' },
  not_found: { code: 'NOT_FOUND', fault: 'caller' },
  name_taken: { code: 'CONFLICT', fault: 'caller' },
  already_exists: { code: 'CONFLICT', fault: 'caller' },
  room_ended: { code: 'CONFLICT', fault: 'caller' },
  room_full: { code: 'CONFLICT', fault: 'caller' },
  participant_left: { code: 'CONFLICT', fault: 'caller' },
  poll_ended: { code: 'CONFLICT', fault: 'caller' },
  already_voted: { code: 'CONFLICT', fault: 'caller' },
  session_ended: { code: 'CONFLICT', fault: 'caller' },
  track_ended: { code: 'CONFLICT', fault: 'caller' },
  playback_ended: { code: 'CONFLICT', fault: 'caller' },
  source_not_active: { code: 'CONFLICT', fault: 'caller', retryAfterSeconds: 2 },
  source_has_no_video: { code: 'CONFLICT', fault: 'caller' },
  source_codec_unsupported: { code: 'CONFLICT', fault: 'destination' },
  has_dependents: { code: 'CONFLICT', fault: 'caller' },
  already_revoked: { code: 'CONFLICT', fault: 'caller' },
  already_deleted: { code: 'CONFLICT', fault: 'caller' },
  last_key: { code: 'CONFLICT', fault: 'caller' },
  no_second_factor: { code: 'CONFLICT', fault: 'caller' },
  in_use: { code: 'CONFLICT', fault: 'caller' },
  already_publishing: { code: 'CONFLICT', fault: 'caller', retryAfterSeconds: 2 },
  idempotency_key_reused: { code: 'CONFLICT', fault: 'caller' },
  idempotency_key_in_use: { code: 'CONFLICT', fault: 'caller', retryAfterSeconds: 2 },
  idempotency_outcome_unknown: { code: 'CONFLICT', fault: 'ours' },
  payload_type_mismatch: { code: 'PAYLOAD_TYPE_MISMATCH', fault: 'caller' },
  rate_limited: { code: 'RATE_LIMITED', fault: 'caller' },
  too_many_waiting: { code: 'RATE_LIMITED', fault: 'caller', retryAfterSeconds: 1 },
  controller_unavailable: { code: 'SERVICE_UNAVAILABLE', fault: 'ours', retryAfterSeconds: 2 },
  capacity_reached: { code: 'SERVICE_UNAVAILABLE', fault: 'ours', retryAfterSeconds: 10 },
  dependency_unavailable: { code: 'SERVICE_UNAVAILABLE', fault: 'ours', retryAfterSeconds: 2 },
  internal_error: { code: 'INTERNAL_ERROR', fault: 'ours' },
} as const satisfies Record<string, CatalogueEntry>;

export type ErrorReason = keyof typeof errorCatalogue;

function catalogueEntry(reason: ErrorReason): CatalogueEntry {
  return errorCatalogue[reason];
}

/** Body of every failure, over HTTP and on the bus. */
export interface FailureBody {
  success: false;
  error: string;
  code: ErrorCode;
  reason?: string;
}

/**
 * A failure from the catalogue. The caller sees `message`, so it must contain no secret and no internal address.
 * `details` are added to the body, for example `payloadProfile` of a 406.
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

/** A full room and full media workers share the reason `capacity_reached`; their codes differ. */
function publicReason(reason: ErrorReason): string {
  return reason === 'room_full' ? 'capacity_reached' : reason;
}

/** Returns the failure for an unexpected error. The cause is only logged. */
export function internalError(): ServiceError {
  return new ServiceError('internal_error', 'Internal error. You can safely repeat the request.');
}
