import { ServiceError, type SignallingRequest, type SignallingResponse } from '@rtms/contracts';

export const sdpType = 'application/sdp';
export const fragmentType = 'application/trickle-ice-sdpfrag';

export function empty(status: number, headers: Record<string, string> = {}): SignallingResponse {
  return { status, headers, body: '' };
}

export function jsonResponse(status: number, body: unknown, headers: Record<string, string> = {}): SignallingResponse {
  return {
    status,
    headers: { ...headers, 'Content-Type': 'application/json; charset=utf-8' },
    body: JSON.stringify(body),
  };
}

/** The error envelope, with `Retry-After` and `WWW-Authenticate` if the error has them. */
export function failureResponse(failure: ServiceError): SignallingResponse {
  const { status, retryAfterSeconds } = failure;
  return jsonResponse(status, failure.toBody(), {
    'Cache-Control': 'no-store',
    ...(retryAfterSeconds !== undefined && { 'Retry-After': String(retryAfterSeconds) }),
    // RFC 6750 section 3.
    ...(status === 401 && { 'WWW-Authenticate': 'Bearer realm="rtms"' }),
  });
}

export function methodNotAllowed(method: string, allow: readonly string[]): SignallingResponse {
  const failure = new ServiceError('method_not_allowed', `${method} is not allowed here. Use ${allow.join(', ')}.`);
  const response = failureResponse(failure);
  return { ...response, headers: { ...response.headers, Allow: allow.join(', ') } };
}

/** Throws if the body of the request has another type. */
export function requireType({ headers }: SignallingRequest, wanted: string): void {
  const type = (headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase();
  if (type !== wanted) throw new ServiceError('unsupported_media_type', `Content-Type must be ${wanted}.`);
}
