import { ServiceError } from '@rtms/contracts';
import fc from 'fast-check';
import { answerPublished, answerUnused } from './answer-sections.js';
import { buildAnswer } from './build-answer.js';
import { parseOffer } from './parse-offer.js';
import { toPublishedSections } from './publish-parameters.js';
import { toViewedSections } from './receiver-capabilities.js';
import { parseSdpFragment } from './sdpfrag.js';
import { chromiumPublishes, chromiumWatches } from './testing/client-offers.js';

const transport = { ice: { usernameFragment: 'a', password: 'b', candidates: [] }, fingerprints: [] };

/** Does all that a POST does with its body, without the media worker. */
function take(text: string): void {
  try {
    const offer = parseOffer(text);
    buildAnswer(offer.sections.map(answerUnused), { ...transport, setup: 'active' });
    toViewedSections(offer, ['audio', 'video']);
    const published = toPublishedSections(offer, ['audio', 'video']);
    buildAnswer(published.map(answerPublished), { ...transport, setup: 'active' });
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
  }
}

function takeFragment(text: string): void {
  try {
    parseSdpFragment(text);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
  }
}

/** A real offer whose video section has more lines, as many as the bounds let through: 16 KB, 1,000 lines. */
function offerWith(lineOf: (index: number) => string, offer = chromiumPublishes()): string {
  const [former, room] = [offer.trim().split('\r\n'), 16_384 - offer.length];
  const added: string[] = [];
  let length = 0;
  for (let index = 0; index < 1_000 - former.length; index += 1) {
    const line = lineOf(index);
    length += line.length + 2;
    if (length > room) break;
    added.push(line);
  }
  return `${[...former, ...added].join('\r\n')}\r\n`;
}

const codecs = Array.from({ length: 75 }, (_, index) => `a=rtpmap:${index < 43 ? index : index + 53} x/9`);

/** Microseconds of this process; the least of several runs, so that neither other programs nor the collector count. */
function cpuTime(work: () => void): number {
  const runs = Array.from({ length: 7 }, () => {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    return user + system;
  });
  return Math.min(...runs);
}

const hostile: Record<string, (index: number) => string> = {
  'feedback for all of 75 codecs': index => codecs[index] ?? `a=rtcp-fb:* ${index}`,
  'feedback for all of 75 codecs that we understand': index => codecs[index] ?? 'a=rtcp-fb:* nack pli',
  'feedback for one codec': index => `a=rtcp-fb:96 x${index}`,
  'format parameters of one codec': index => `a=fmtp:96 p${index}=1`,
  'header extensions': index => `a=extmap:${(index % 14) + 1} urn:x`,
  streams: index => `a=ssrc:${index + 1} x`,
  'groups of streams': index => `a=ssrc-group:FID ${index + 1} 2`,
  layers: index => `a=rid:${index} send`,
  tracks: index => `a=msid:s${index} t`,
  candidates: index => `a=candidate:${index} 1 udp 1 a 1 typ host`,
  groups: index => `a=group:BUNDLE ${index}`,
  'unknown attributes': () => 'a=x',
  'media sections': () => 'm=video 9 UDP/TLS/RTP/SAVPF 96',
  'one long list of payload types': () => `m=video 9 UDP/TLS/RTP/SAVPF ${'96 '.repeat(1_300)}`,
  'one long list of layers': () => `a=simulcast:send ${'a;'.repeat(2_000)}`,
  'one long list of layers that cannot be read': () => `a=simulcast:send ${'send'.repeat(1_000)}`,
  'one long format': () => `a=fmtp:96 ${'a=1;'.repeat(1_000)}`,
  'one long candidate': () => `a=candidate:${'1 '.repeat(2_000)}`,
  blanks: () => `a=imageattr:96 send${' '.repeat(4_000)}`,
};

describe('the time that an offer takes', () => {
  /** As many lines and bytes of what every client sends. */
  const usual = offerWith(index => `a=candidate:${index} 1 udp 1 a 1 typ host`);
  /** The parser looks for some attributes later in its table than for others: measured up to 3 times. */
  const factor = 10;
  let budget: number;
  beforeAll(() => {
    for (let warm = 0; warm < 20; warm += 1) take(usual);
    budget =
      factor *
      Math.max(
        1_000,
        cpuTime(() => take(usual)),
      );
  });

  it.each(Object.entries(hostile))('grows with its length only, with %s', (_case, lineOf) => {
    const offer = offerWith(lineOf);
    expect(cpuTime(() => take(offer))).toBeLessThan(budget);
    expect(cpuTime(() => takeFragment(offer))).toBeLessThan(budget);
  });

  it('grows with its length only, however hostile lines are mixed', () => {
    const lines = fc.array(fc.constantFrom(...Object.values(hostile)), { minLength: 1, maxLength: 4 });
    const offers = fc.constantFrom(chromiumPublishes(), chromiumWatches());
    fc.assert(
      fc.property(lines, offers, (lineOfs, offer) => {
        const mixed = offerWith(index => lineOfs[index % lineOfs.length]?.(index) ?? 'a=x', offer);
        expect(cpuTime(() => take(mixed))).toBeLessThan(budget);
      }),
      { numRuns: 40 },
    );
  });

  it('is bounded for an offer of 250 KB that came past the limit of the body', () => {
    const feedback = Array.from({ length: 12_000 }, (_, index) => `a=rtcp-fb:* x${index}`);
    const offer = [chromiumPublishes().trim(), ...codecs, ...feedback].join('\r\n');
    expect(cpuTime(() => take(offer))).toBeLessThan(budget);
  });
});

describe('the bounds of an offer', () => {
  const reasonOf = (text: string): unknown => {
    try {
      parseOffer(text);
    } catch (error) {
      return error instanceof ServiceError ? [error.reason, error.message] : error;
    }
    return 'taken';
  };
  const many = (count: number, line: (index: number) => string) =>
    `${chromiumPublishes()}${Array.from({ length: count }, (_, index) => `${line(index)}\r\n`).join('')}`;

  it.each<[string, string, string, RegExp]>([
    ['lines', many(1_000, () => 'a=x'), 'body_too_large', /has \d+ lines; at most 1000 are allowed/],
    ['characters in a line', many(1, () => `a=${'x'.repeat(5_000)}`), 'body_too_large', /4096 characters in line \d+/],
    [
      'media sections',
      many(7, () => 'm=video 9 UDP/TLS/RTP/SAVPF 96'),
      'unacceptable_offer',
      /more than 8 media sections/,
    ],
    ['codecs in a section', many(97, index => `a=rtpmap:${index} x/9`), 'unacceptable_offer', /more than 96 codecs/],
    ['header extensions', many(65, index => `a=extmap:${index} urn:x`), 'unacceptable_offer', /more than 64 header/],
  ])('refuses too many %s and names the limit', (_case, offer, reason, message) => {
    expect(reasonOf(offer)).toEqual([reason, expect.stringMatching(message)]);
  });

  it('takes a section with as many candidates as a host with forty interfaces has', () => {
    expect(reasonOf(many(160, index => `a=candidate:${index} 1 udp 1 2001:db8::${index} 9 typ host`))).toBe('taken');
  });

  it('refuses a fragment with too many lines', () => {
    const fragment = 'a=candidate:1 1 udp 1 192.0.2.1 9 typ host\r\n'.repeat(1_001);
    expect(() => parseSdpFragment(fragment)).toThrow(expect.objectContaining({ reason: 'body_too_large' }));
  });
});
