/** HTTP status by error code. Clients branch on the codes, so a code never changes. */
export const errorStatus = {
  BAD_REQUEST: 400,
  UNAUTHORIZED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  PAYLOAD_TYPE_MISMATCH: 406,
  CONFLICT: 409,
  GONE: 410,
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
  /** One sentence for the API reference, and the message of a failure without a message of its own. */
  meaning: string;
  /** Overrides the HTTP status of the code. */
  status?: number;
  /** Value of the `Retry-After` header, seconds. */
  retryAfterSeconds?: number;
}

type Details = Partial<Omit<CatalogueEntry, 'code' | 'meaning'>>;

function caller(code: ErrorCode, meaning: string, details: Details = {}): CatalogueEntry {
  return { code, fault: 'caller', meaning, ...details };
}

function ours(code: ErrorCode, meaning: string, details: Details = {}): CatalogueEntry {
  return { code, fault: 'ours', meaning, ...details };
}

/** All failures. The key is the public `reason`. */
export const errorCatalogue = {
  invalid_request: caller('BAD_REQUEST', 'A value of the request is not valid.'),
  unknown_field: caller('BAD_REQUEST', 'The body has an unknown field.'),
  unknown_action: caller('BAD_REQUEST', 'The action is missing or unknown.'),
  malformed_json: caller('BAD_REQUEST', 'The body is not valid JSON.'),
  headers_too_large: caller('BAD_REQUEST', 'The headers are too large.', { status: 431 }),
  request_timeout: caller('BAD_REQUEST', 'The request took too long to arrive.', { status: 408 }),
  body_too_large: caller('BAD_REQUEST', 'The body is too large.', { status: 413 }),
  unsupported_media_type: caller('BAD_REQUEST', 'Send the body with Content-Type: application/json, in UTF-8.', {
    status: 415,
  }),
  method_not_allowed: caller('BAD_REQUEST', 'The path does not have this method.', { status: 405 }),
  malformed_sdp: caller('BAD_REQUEST', 'The offer is not valid SDP.'),
  unacceptable_offer: caller('BAD_REQUEST', 'The server cannot answer the offer.', { status: 422 }),
  precondition_required: caller('BAD_REQUEST', 'The request needs an If-Match header.', { status: 428 }),
  precondition_failed: caller('BAD_REQUEST', 'The ICE session has changed.', { status: 412 }),
  range_not_satisfiable: caller('BAD_REQUEST', 'The range is outside the file.', { status: 416 }),
  invalid_credentials: caller('UNAUTHORIZED', 'The credentials are missing or wrong.'),
  second_factor_required: caller('UNAUTHORIZED', 'Send the six digits of the second factor as well.'),
  key_expired: caller('UNAUTHORIZED', 'This key has expired.'),
  key_revoked: caller('UNAUTHORIZED', 'This key has been revoked.'),
  key_disabled: caller('UNAUTHORIZED', 'This key is disabled.'),
  token_expired: caller('UNAUTHORIZED', 'This token has expired.'),
  path_not_signed: caller('FORBIDDEN', 'The token does not cover this path.'),
  operation_not_granted: caller('FORBIDDEN', 'The key does not have the operation.'),
  origin_not_allowed: caller('FORBIDDEN', 'The origin may not use the key.'),
  csrf_token_missing: caller(
    'FORBIDDEN',
    'A request with the session cookie needs the token of the session in X-CSRF-Token.',
  ),
  confirmation_required: caller('FORBIDDEN', 'Confirm the password again, then repeat the request.'),
  wrong_password: caller('FORBIDDEN', 'The current password is wrong.'),
  wrong_code: caller('FORBIDDEN', 'The code is wrong or was used before.'),
  feature_disabled: caller('FORBIDDEN', 'This feature is switched off.'),
  not_entitled: caller('FORBIDDEN', 'The account is not entitled to this.'),
  balance_exhausted: caller('FORBIDDEN', 'The account has no minutes left.'),
  account_disabled: caller('FORBIDDEN', 'This account is disabled.'),
  limit_reached: caller(
    'FORBIDDEN',
    'The account reached a limit; `limit` has its name and value. The administrator of the platform can raise it.',
  ),
  sub_user_disabled: caller('FORBIDDEN', 'This sub-user is disabled.'),
  wrong_secure_code: caller('FORBIDDEN', 'secureCode is wrong. Ask the host for the room’s code.'),
  role_not_allowed: caller('FORBIDDEN', 'The key or the event settings of the room do not allow this role.'),
  not_permitted: caller(
    'FORBIDDEN',
    'The role of the user or participant, or the event settings of the room, do not allow this.',
  ),
  not_found: caller('NOT_FOUND', 'The record does not exist in this account and environment.'),
  name_taken: caller('CONFLICT', 'Another record has this name.'),
  already_exists: caller('CONFLICT', 'The record exists already.'),
  room_ended: caller('CONFLICT', 'The room has ended.'),
  room_full: caller('CONFLICT', 'The room is full.'),
  participant_left: caller('CONFLICT', 'The participant has left the room.'),
  poll_ended: caller('CONFLICT', 'The poll has ended.'),
  already_voted: caller('CONFLICT', 'The participant has voted already.'),
  session_ended: caller('CONFLICT', 'The external session has ended.'),
  track_ended: caller('CONFLICT', 'The track has ended.'),
  playback_ended: caller('CONFLICT', 'The playback has ended.'),
  source_not_active: caller('CONFLICT', 'The source session is not active.', { retryAfterSeconds: 2 }),
  source_has_no_video: caller('CONFLICT', 'The source session has no video.'),
  source_codec_unsupported: caller(
    'CONFLICT',
    'The codec of the source cannot be broadcast, or the target of the restream cannot carry it.',
    {
      fault: 'destination',
    },
  ),
  recording_not_ready: caller(
    'CONFLICT',
    'A recording to compose has no file: it is not ready, or the file is deleted.',
  ),
  recording_not_composable: caller('CONFLICT', 'The recordings cannot be composed with each other.'),
  has_dependents: caller('CONFLICT', 'Playbacks, broadcasts or restreams use the session. End them first.'),
  already_revoked: caller('CONFLICT', 'The key has been revoked.'),
  already_deleted: caller('CONFLICT', 'The account is deleted. Restore it first.'),
  last_key: caller('CONFLICT', 'The key is the last working main key of its environment. Send `force` to continue.'),
  last_owner: caller('CONFLICT', 'The user is the last owner of the account. Make another user an owner first.'),
  last_node: caller('CONFLICT', 'The node is the last of its kind that takes work. Send `force` to continue.'),
  no_second_factor: caller('CONFLICT', 'The user has no second factor.'),
  in_use: caller('CONFLICT', 'Another record uses this one.'),
  already_publishing: caller('CONFLICT', 'The session has a publisher already.', { retryAfterSeconds: 2 }),
  idempotency_key_reused: caller('CONFLICT', 'An earlier, different request used this Idempotency-Key.'),
  idempotency_key_in_use: caller('CONFLICT', 'The first request with this Idempotency-Key is still running.', {
    retryAfterSeconds: 2,
  }),
  idempotency_outcome_unknown: ours(
    'CONFLICT',
    'The outcome of the first request with this Idempotency-Key is unknown.',
  ),
  invalid_cursor: caller('BAD_REQUEST', 'The cursor is not a position in the log of this account.'),
  cursor_expired: caller(
    'GONE',
    'Events behind the cursor are older than the retention. Read the resources again, then follow the log from `latest`.',
  ),
  payload_type_mismatch: caller('PAYLOAD_TYPE_MISMATCH', 'The payload types of the offer differ from the profile.'),
  rate_limited: caller('RATE_LIMITED', 'Too many requests. Retry later.'),
  too_many_waiting: caller(
    'RATE_LIMITED',
    'Too many requests for the same account or room are waiting. Retry in a second.',
    { retryAfterSeconds: 1 },
  ),
  controller_unavailable: ours('SERVICE_UNAVAILABLE', 'No media node is available. Retry later.', {
    retryAfterSeconds: 2,
  }),
  capacity_reached: ours('SERVICE_UNAVAILABLE', 'All media nodes are full. Retry later.', { retryAfterSeconds: 10 }),
  dependency_unavailable: ours('SERVICE_UNAVAILABLE', 'A part of the service is unavailable. Retry later.', {
    retryAfterSeconds: 2,
  }),
  no_new_media: caller(
    'SERVICE_UNAVAILABLE',
    'The broadcast has no new media yet: its source sent none in time, or another node continues it. Retry later.',
    { retryAfterSeconds: 2 },
  ),
  internal_error: ours('INTERNAL_ERROR', 'Internal error. A retry is safe.'),
};

export type ErrorReason = keyof typeof errorCatalogue;

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
    message = errorCatalogue[reason].meaning,
    readonly details: Record<string, unknown> = {},
  ) {
    super(message);
    this.name = 'ServiceError';
    const entry = errorCatalogue[reason];
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
