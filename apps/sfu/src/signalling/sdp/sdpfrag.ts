import { createHash } from 'node:crypto';
import { ServiceError } from '@rtms/contracts';
import type { LocalIce } from '../../media/media-engine.js';
import { formatCandidate } from './build-answer.js';
import type { RemoteIce } from './session-offer.js';
import { splitLines } from './parse-offer.js';

/** A parsed `trickle-ice-sdpfrag` (RFC 8840). Counts candidates without reading them: an ICE-lite node learns addresses from checks. */
export interface SdpFragment {
  usernameFragment?: string;
  password?: string;
  candidates: number;
}

/** Reads a fragment. Ignores port, profile and formats of `m=` lines. Throws `malformed_sdp` or `body_too_large`. */
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

/** The credentials of a restart; undefined unless both have a valid length (RFC 8839 section 5.4). */
export function restartCredentials({ usernameFragment, password }: SdpFragment): RemoteIce | undefined {
  if (usernameFragment === undefined || password === undefined) return undefined;
  const isWithin = (text: string, least: number) => text.length >= least && text.length <= 256;
  return isWithin(usernameFragment, 4) && isWithin(password, 22) ? { usernameFragment, password } : undefined;
}

/** Writes the answer to an ICE restart: the new credentials and all candidates, for the first section. */
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

/** The strong entity tag of an ICE session (RFC 9725 section 4.3.1). It is a hash, so it reveals no credential. */
export function iceEtag(local: Pick<LocalIce, 'usernameFragment'>, remote: RemoteIce): string {
  const names = `${local.usernameFragment}:${remote.usernameFragment}:${remote.password}`;
  return `"${createHash('sha256').update(names).digest('base64url').slice(0, 22)}"`;
}
