import type { ServiceError, SignallingResponse } from '@rtms/contracts';
import type { IceServer } from '@rtms/config';

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

/** The `Link` header that lists the ICE servers (RFC 9725 section 4.6); undefined without servers. */
export function iceServerLinks(servers: readonly IceServer[]): string | undefined {
  const links = servers.flatMap(server => [server.urls].flat().map(url => toLink(url, server)));
  return links.length > 0 ? links.join(', ') : undefined;
}

function toLink(url: string, { username, credential }: IceServer): string {
  const parameters = [`<${url}>`, 'rel="ice-server"'];
  if (username !== undefined && credential !== undefined) {
    parameters.push(`username=${quote(username)}`, `credential=${quote(credential)}`, 'credential-type="password"');
  }
  return parameters.join('; ');
}

/** quoted-string of RFC 9110 section 5.6.4. */
function quote(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`;
}
