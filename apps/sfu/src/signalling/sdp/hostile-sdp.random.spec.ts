import { ServiceError } from '@rtms/contracts';
import fc from 'fast-check';
import { answerPublished, answerUnused, buildAnswer } from './build-answer.js';
import { parseOffer } from './parse-offer.js';
import { toPublishedSections } from './publish-parameters.js';
import { toViewedSections } from './receiver-capabilities.js';
import { parseSdpFragment } from './sdpfrag.js';
import * as clients from './testing/client-offers.js';

const offers = [
  clients.chromiumPublishes(),
  clients.chromiumPublishesLayers(),
  clients.firefoxPublishes(),
  clients.ffmpegPublishes(),
  clients.gstreamerPublishes(),
  clients.pionPublishes(),
  clients.obsPublishes(),
];

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
function offerWith(lineOf: (index: number) => string, offer = clients.chromiumPublishes()): string {
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

describe('the time to parse an offer', () => {
  /** The same number of lines and bytes, from an ordinary client. */
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

  it('grows linearly for any mix of hostile lines', () => {
    const lines = fc.array(fc.constantFrom(...Object.values(hostile)), { minLength: 1, maxLength: 4 });
    const offers = fc.constantFrom(clients.chromiumPublishes(), clients.chromiumWatches());
    fc.assert(
      fc.property(lines, offers, (lineOfs, offer) => {
        const mixed = offerWith(index => lineOfs[index % lineOfs.length]?.(index) ?? 'a=x', offer);
        expect(cpuTime(() => take(mixed))).toBeLessThan(budget);
      }),
      { numRuns: 40 },
    );
  });

  it('is bounded for an offer of 250 KB', () => {
    const feedback = Array.from({ length: 12_000 }, (_, index) => `a=rtcp-fb:* x${index}`);
    const offer = [clients.chromiumPublishes().trim(), ...codecs, ...feedback].join('\r\n');
    expect(cpuTime(() => take(offer))).toBeLessThan(budget);
  });
});

describe('an offer', () => {
  it('fails only with documented errors for any text', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 400 }), take));
  });

  it('fails only with documented errors for any change of a real offer', () => {
    const change = fc.record({
      offer: fc.constantFrom(...offers),
      line: fc.nat({ max: 120 }),
      replacement: fc.oneof(
        fc.constant(undefined),
        fc.string({ unit: 'binary-ascii', maxLength: 40 }),
        fc.constantFrom(
          'm=audio 9',
          'm=video',
          'a=rtpmap:',
          'a=rtpmap:999 VP8',
          'a=fmtp:x y',
          'a=ssrc-group:FID',
          'a=ssrc:x',
          'a=extmap:',
          'a=mid:',
          'a=group:BUNDLE',
          'a=rtcp-fb:* ',
          'a=fingerprint:',
        ),
      ),
    });
    fc.assert(
      fc.property(change, ({ offer, line, replacement }) => {
        const lines = offer.split('\r\n');
        lines.splice(line % lines.length, 1, ...(replacement === undefined ? [] : [replacement]));
        take(lines.join('\r\n'));
      }),
      { numRuns: 1000 },
    );
  });
});

describe('a fragment', () => {
  it('fails only with documented errors', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 300 }), takeFragment));
  });
});
