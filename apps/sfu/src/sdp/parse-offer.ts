import { parse, type MediaDescription, type SessionDescription } from 'sdp-transform';
import type { Fingerprint } from '../media/media-engine.js';
import { malformed, unacceptable } from './offer-errors.js';
import { parseSection } from './parse-section.js';
import type { RemoteIce, SessionOffer, Setup } from './session-offer.js';
import { splitLines } from './split-lines.js';

/**
 * Far more than any client offers. With `rtcp-mux` a section has 96 payload types (RFC 5761 section 4), so that more
 * codecs are impossible; 14 header extensions fit the one-byte form (RFC 8285).
 */
const bounds = [
  { start: 'a=rtpmap:', most: 96, what: 'codecs ("a=rtpmap")' },
  { start: 'a=extmap:', most: 64, what: 'header extensions ("a=extmap")' },
];
const maxSections = 8;

/**
 * Reads an offer (RFC 8866, RFC 8843) in a time that grows with its length, not faster. Throws `malformed_sdp` for what
 * is not SDP, `body_too_large` for too many lines, and `unacceptable_offer` for SDP that cannot become one bundled,
 * multiplexed and encrypted transport.
 */
export function parseOffer(text: string): SessionOffer {
  const lines = splitLines(text);
  checkSyntax(lines);
  checkBounds(lines);
  const session = parse(text);
  if (session.media.length === 0) throw malformed('The offer has no media section.');
  checkBundle(session);
  return {
    ice: readIce(session),
    fingerprints: readFingerprints(session),
    setup: readSetup(session),
    sections: session.media.map(media => parseSection(media, session)),
  };
}

function checkSyntax(lines: readonly string[]): void {
  if (lines[0] !== 'v=0') throw malformed('The body is not a session description: it must begin with "v=0".');
  const wrong = lines.findIndex(line => !/^[a-z]=./.test(line) && !/^[si]=$/.test(line));
  if (wrong >= 0) throw malformed(`Line ${wrong + 1} of the session description is not of the form "type=value".`);
  if (!lines.some(line => line.startsWith('o='))) throw malformed('The session description has no "o=" line.');
}

/** Before the parser sees the offer, so that it makes no objects of what is refused. */
function checkBounds(lines: readonly string[]): void {
  const counts = new Map<string, number>();
  let sections = 0;
  for (const line of lines) {
    if (line.startsWith('m=')) {
      sections += 1;
      counts.clear();
    }
    for (const { start, most, what } of bounds) {
      if (!line.startsWith(start)) continue;
      const count = (counts.get(start) ?? 0) + 1;
      if (count > most) throw unacceptable(`A media section has more than ${most} ${what}. Offer fewer.`);
      counts.set(start, count);
    }
  }
  if (sections > maxSections) throw unacceptable(`The offer has more than ${maxSections} media sections. Offer fewer.`);
}

function checkBundle({ media, groups }: SessionDescription): void {
  if (media.length === 1) return;
  const mids = media.map(({ mid }) => String(mid ?? ''));
  if (mids.includes('')) throw unacceptable('Every media section needs a "mid".');
  if (new Set(mids).size < mids.length) throw unacceptable('Two media sections have the same "mid".');
  const bundle = groups?.find(({ type }) => type === 'BUNDLE');
  const bundled = new Set(String(bundle?.mids ?? '').split(' '));
  if (!mids.every(mid => bundled.has(mid))) throw unacceptable('All media sections must be in one BUNDLE group.');
}

/** The first section's, else the session's: bundled sections share one transport. */
function transportValue<Value>(
  session: SessionDescription,
  read: (level: Pick<MediaDescription, 'iceUfrag' | 'icePwd' | 'setup' | 'fingerprint'>) => Value | undefined,
): Value | undefined {
  for (const level of [...session.media, session]) {
    const value = read(level);
    if (value !== undefined) return value;
  }
  return undefined;
}

function readIce(session: SessionDescription): RemoteIce {
  const usernameFragment = String(transportValue(session, level => level.iceUfrag) ?? '');
  const password = String(transportValue(session, level => level.icePwd) ?? '');
  // Lengths of RFC 8839 section 5.4.
  if (usernameFragment.length < 4 || usernameFragment.length > 256)
    throw unacceptable('The offer needs an "ice-ufrag" of 4 to 256 characters.');
  if (password.length < 22 || password.length > 256)
    throw unacceptable('The offer needs an "ice-pwd" of 22 to 256 characters.');
  return { usernameFragment, password };
}

const fingerprintAlgorithms = new Set(['sha-1', 'sha-224', 'sha-256', 'sha-384', 'sha-512']);

function readFingerprints(session: SessionDescription): Fingerprint[] {
  const found = transportValue(session, level => level.fingerprint);
  const algorithm = String(found?.type ?? '').toLowerCase();
  const value = String(found?.hash ?? '').toUpperCase();
  if (!/^[0-9A-F]{2}(?::[0-9A-F]{2})+$/.test(value)) throw unacceptable('The offer has no DTLS "fingerprint".');
  if (!fingerprintAlgorithms.has(algorithm)) throw unacceptable('The hash of the DTLS "fingerprint" is not supported.');
  return [{ algorithm, value }];
}

function readSetup(session: SessionDescription): Setup {
  const setup = String(transportValue(session, level => level.setup) ?? '');
  if (setup === 'actpass' || setup === 'active' || setup === 'passive') return setup;
  throw unacceptable('The offer needs a "setup" of actpass, active or passive.');
}
