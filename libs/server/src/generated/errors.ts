/** Made from the gateway's OpenAPI document by `npm run build`; do not edit. */
import { RtmsApiError } from '../errors.js';

/** The exact cause of a failure. A later gateway may add reasons. */
export type ErrorReason =
  | 'invalid_request'
  | 'unknown_field'
  | 'unknown_action'
  | 'malformed_json'
  | 'headers_too_large'
  | 'request_timeout'
  | 'body_too_large'
  | 'unsupported_media_type'
  | 'method_not_allowed'
  | 'malformed_sdp'
  | 'unacceptable_offer'
  | 'precondition_required'
  | 'precondition_failed'
  | 'range_not_satisfiable'
  | 'invalid_credentials'
  | 'second_factor_required'
  | 'key_expired'
  | 'key_revoked'
  | 'key_disabled'
  | 'token_expired'
  | 'path_not_signed'
  | 'operation_not_granted'
  | 'origin_not_allowed'
  | 'csrf_token_missing'
  | 'confirmation_required'
  | 'wrong_password'
  | 'wrong_code'
  | 'feature_disabled'
  | 'not_entitled'
  | 'balance_exhausted'
  | 'account_disabled'
  | 'limit_reached'
  | 'sub_user_disabled'
  | 'wrong_secure_code'
  | 'role_not_allowed'
  | 'not_permitted'
  | 'not_found'
  | 'name_taken'
  | 'already_exists'
  | 'room_ended'
  | 'capacity_reached'
  | 'participant_left'
  | 'poll_ended'
  | 'already_voted'
  | 'session_ended'
  | 'track_ended'
  | 'playback_ended'
  | 'source_not_active'
  | 'source_has_no_video'
  | 'source_codec_unsupported'
  | 'recording_not_ready'
  | 'recording_not_composable'
  | 'has_dependents'
  | 'already_revoked'
  | 'already_deleted'
  | 'last_key'
  | 'last_owner'
  | 'last_node'
  | 'no_second_factor'
  | 'in_use'
  | 'already_publishing'
  | 'idempotency_key_reused'
  | 'idempotency_key_in_use'
  | 'idempotency_outcome_unknown'
  | 'invalid_cursor'
  | 'cursor_expired'
  | 'payload_type_mismatch'
  | 'rate_limited'
  | 'too_many_waiting'
  | 'controller_unavailable'
  | 'dependency_unavailable'
  | 'no_new_media'
  | 'internal_error';

/** The gateway answered with the code `BAD_REQUEST`. */
export class RtmsBadRequestError extends RtmsApiError {
  declare readonly code: 'BAD_REQUEST';
  override readonly name = 'RtmsBadRequestError';
}

/** The gateway answered with the code `UNAUTHORIZED`. */
export class RtmsUnauthorizedError extends RtmsApiError {
  declare readonly code: 'UNAUTHORIZED';
  override readonly name = 'RtmsUnauthorizedError';
}

/** The gateway answered with the code `FORBIDDEN`. */
export class RtmsForbiddenError extends RtmsApiError {
  declare readonly code: 'FORBIDDEN';
  override readonly name = 'RtmsForbiddenError';
}

/** The gateway answered with the code `NOT_FOUND`. */
export class RtmsNotFoundError extends RtmsApiError {
  declare readonly code: 'NOT_FOUND';
  override readonly name = 'RtmsNotFoundError';
}

/** The gateway answered with the code `CONFLICT`. */
export class RtmsConflictError extends RtmsApiError {
  declare readonly code: 'CONFLICT';
  override readonly name = 'RtmsConflictError';
}

/** The gateway answered with the code `GONE`. */
export class RtmsGoneError extends RtmsApiError {
  declare readonly code: 'GONE';
  override readonly name = 'RtmsGoneError';
}

/** The gateway answered with the code `PAYLOAD_TYPE_MISMATCH`. */
export class RtmsPayloadTypeMismatchError extends RtmsApiError {
  declare readonly code: 'PAYLOAD_TYPE_MISMATCH';
  override readonly name = 'RtmsPayloadTypeMismatchError';
}

/** The gateway answered with the code `RATE_LIMITED`. */
export class RtmsRateLimitedError extends RtmsApiError {
  declare readonly code: 'RATE_LIMITED';
  override readonly name = 'RtmsRateLimitedError';
}

/** The gateway answered with the code `SERVICE_UNAVAILABLE`. */
export class RtmsServiceUnavailableError extends RtmsApiError {
  declare readonly code: 'SERVICE_UNAVAILABLE';
  override readonly name = 'RtmsServiceUnavailableError';
}

/** The gateway answered with the code `INTERNAL_ERROR`. */
export class RtmsInternalError extends RtmsApiError {
  declare readonly code: 'INTERNAL_ERROR';
  override readonly name = 'RtmsInternalError';
}

/** The class of each code. */
export const errorClasses = {
  BAD_REQUEST: RtmsBadRequestError,
  UNAUTHORIZED: RtmsUnauthorizedError,
  FORBIDDEN: RtmsForbiddenError,
  NOT_FOUND: RtmsNotFoundError,
  CONFLICT: RtmsConflictError,
  GONE: RtmsGoneError,
  PAYLOAD_TYPE_MISMATCH: RtmsPayloadTypeMismatchError,
  RATE_LIMITED: RtmsRateLimitedError,
  SERVICE_UNAVAILABLE: RtmsServiceUnavailableError,
  INTERNAL_ERROR: RtmsInternalError,
} as const;

export type ErrorCode = keyof typeof errorClasses;
