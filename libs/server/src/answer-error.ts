import { RtmsApiError } from './errors.js';
import { errorClasses, type ErrorCode } from './generated/errors.js';

/** Reasons of other statuses that a retry of the same request outlasts. */
const passingReasons = new Set<unknown>(['idempotency_key_in_use']);

/** The failure that an answer stands for. `body` is the parsed JSON, or the text. */
export function errorOfAnswer({ status, headers }: Response, body: unknown): RtmsApiError {
  const { success: _, error, code, reason, ...details } = isObject(body) ? body : {};
  const retryable = status === 429 || status >= 500 || passingReasons.has(reason);
  const fields = { status, requestID: headers.get('X-Request-Id') ?? undefined, retryable };
  if (typeof error !== 'string' || typeof code !== 'string') {
    const message = `The gateway answered ${status} without a failure of the API. Check that \`url\` is the gateway's address.`;
    return new RtmsApiError(message, { ...fields, code: 'unexpected_answer' });
  }
  const ErrorClass = Object.hasOwn(errorClasses, code) ? errorClasses[code as ErrorCode] : RtmsApiError;
  const known = typeof reason === 'string' ? reason : undefined;
  return new ErrorClass(error, { ...fields, code: code as ErrorCode, reason: known, details });
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
