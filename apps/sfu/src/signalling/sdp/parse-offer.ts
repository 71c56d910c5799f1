import { type MediaDescription, parse, type SessionDescription } from 'sdp-transform';
import { ServiceError } from '@rtms/contracts';
import type { Fingerprint } from '../../media/media-engine.js';
import { malformed, type RemoteIce, type SessionOffer, type Setup, unacceptable } from './session-offer.js';
import { parseSection } from './parse-section.js';

/**
 * Limits far above what clients offer. With `rtcp-mux` a section has at most 96 payload types (RFC 5761 section 4).
 * The one-byte form has room for 14 header extensions (RFC 8285).
 */
const bounds = [
  { start: 'a=rtpmap:', most: 96, what: 'codecs ("a=rtpmap")' },
  { start: 'a=extmap:', most: 64, what: 'header extensions ("a=extmap")' },
];
const maxSections = 8;

/**
 * Reads an offer (RFC 8866, RFC 8843) in linear time. Throws `malformed_sdp` if the text is not SDP, and
 * `body_too_large` if it has too many or too long lines. Throws `unacceptable_offer` unless the offer is one bundled,
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

/** Runs before the parser, so that a refused offer costs no memory. */
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

/** The value of the first section that has one, else of the session: bundled sections share one transport. */
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
  // Length limits: RFC 8839 section 5.4.
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

/**
 * Limits for every SDP body, checked before parsing. The longest browser offer that we have seen (Chromium, WHEP) has
 * 201 lines of at most 145 characters.
 */
const maxLines = 1_000;
/** Lines with certificates or parameter sets reach a thousand characters. */
const maxLineLength = 4_096;

/** Returns the lines that are not blank. Throws `body_too_large` if there are too many or too long lines. */
export function splitLines(text: string): string[] {
  const lines = text.split(/\r\n|\n|\r/).filter(line => line.trim() !== '');
  if (lines.length > maxLines) throw tooLarge(`has ${lines.length} lines; at most ${maxLines} are allowed`);
  const long = lines.findIndex(line => line.length > maxLineLength);
  if (long >= 0) throw tooLarge(`has more than ${maxLineLength} characters in line ${long + 1}; shorten that line`);
  return lines;
}

function tooLarge(message: string): ServiceError {
  return new ServiceError('body_too_large', `The SDP ${message}.`);
}
