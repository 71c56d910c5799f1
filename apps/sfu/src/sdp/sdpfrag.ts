import { ServiceError } from '@rtms/contracts';
import type { LocalIce } from '../media/media-engine.js';
import { formatCandidate } from './candidate.js';
import type { RemoteIce } from './session-offer.js';
import { splitLines } from './split-lines.js';

/** What a `trickle-ice-sdpfrag` (RFC 8840) says. Candidates count only; an ICE-lite node learns them by its peer's checks. */
export interface SdpFragment {
  usernameFragment?: string;
  password?: string;
  candidates: number;
}

/** Reads a fragment; `m=` lines may have any port, profile and formats. Throws `malformed_sdp` or `body_too_large`. */
export function parseSdpFragment(text: string): SdpFragment {
  const lines = splitLines(text);
  if (lines.length === 0) throw fragmentError('The fragment is empty.');
  if (!lines.every(line => /^[amcvots]=/.test(line))) throw fragmentError('The body is not a trickle-ice-sdpfrag.');
  const usernameFragment = valueOf(lines, 'a=ice-ufrag:');
  const password = valueOf(lines, 'a=ice-pwd:');
  const candidates = lines.filter(line => /^a=(?:candidate:|end-of-candidates)/.test(line)).length;
  if (usernameFragment === undefined && candidates === 0)
    throw fragmentError('The fragment has neither ICE credentials nor candidates.');
  return {
    ...(usernameFragment !== undefined && { usernameFragment }),
    ...(password !== undefined && { password }),
    candidates,
  };
}

function valueOf(lines: string[], prefix: string): string | undefined {
  return lines
    .find(line => line.startsWith(prefix))
    ?.slice(prefix.length)
    .trim();
}

function fragmentError(message: string): ServiceError {
  return new ServiceError('malformed_sdp', message);
}

/** The credentials of a restart; undefined when the fragment has not both in the lengths of RFC 8839. */
export function restartCredentials({ usernameFragment, password }: SdpFragment): RemoteIce | undefined {
  if (usernameFragment === undefined || password === undefined) return undefined;
  const isWithin = (text: string, least: number) => text.length >= least && text.length <= 256;
  return isWithin(usernameFragment, 4) && isWithin(password, 22) ? { usernameFragment, password } : undefined;
}

/** The answer to an ICE restart: our new credentials and all candidates, under the first section. */
export function buildSdpFragment(ice: LocalIce, first: { kind: string; mid: string }): string {
  const lines = [
    `a=ice-ufrag:${ice.usernameFragment}`,
    `a=ice-pwd:${ice.password}`,
    'a=ice-lite',
    `m=${first.kind} 9 UDP/TLS/RTP/SAVPF 0`,
    ...(first.mid === '' ? [] : [`a=mid:${first.mid}`]),
    ...ice.candidates.map(candidate => `a=${formatCandidate(candidate)}`),
    'a=end-of-candidates',
  ];
  return lines.map(line => `${line}\r\n`).join('');
}
