import { ServiceError } from '@rtms/contracts';
import fc from 'fast-check';
import { formatFmtp, parseFmtp } from './fmtp.js';
import { parseOffer } from './parse-offer.js';
import { toPublishedSections } from './publish-parameters.js';
import { toViewedSections } from './receiver-capabilities.js';
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

/** Runs what a request would run; only failures that a caller may see are let through. */
function take(text: string): void {
  try {
    const offer = parseOffer(text);
    toPublishedSections(offer, ['audio', 'video']);
    toViewedSections(offer, ['audio', 'video']);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
  }
}

describe('parseOffer', () => {
  it.each([
    ['nothing', ''],
    ['a word', 'hello'],
    ['JSON', '{"sdp":"v=0"}'],
    ['a session without media', 'v=0\r\no=- 1 1 IN IP4 0.0.0.0\r\ns=-\r\nt=0 0\r\n'],
    ['a session without an origin', 'v=0\r\ns=-\r\nm=audio 9 UDP/TLS/RTP/SAVPF 111\r\n'],
    ['lines that are no lines of SDP', 'v=0\r\no=- 1 1 IN IP4 0.0.0.0\r\nnonsense\r\n'],
    ['another version', 'v=1\r\no=- 1 1 IN IP4 0.0.0.0\r\n'],
  ])('says that %s is malformed', (_case, text) => {
    expect(() => parseOffer(text)).toThrow(expect.objectContaining({ reason: 'malformed_sdp' }));
  });

  it('takes lines that end in LF alone', () => {
    expect(parseOffer(clients.chromiumPublishes().replaceAll('\r\n', '\n')).sections).toHaveLength(2);
  });

  it('keeps identifiers that look like numbers as they were written', () => {
    const offer = clients
      .chromiumPublishes({ ufrag: '1234' })
      .replaceAll('a-password-of-22-characters', '1'.repeat(24));
    expect(parseOffer(offer)).toMatchObject({ ice: { usernameFragment: '1234', password: '1'.repeat(24) } });
    expect(parseOffer(offer).sections.map(({ mid }) => mid)).toEqual(['0', '1']);
  });

  it('counts feedback for all formats and feedback that is listed twice once', () => {
    const offer = clients
      .ffmpegPublishes()
      .replace('a=rtpmap:106', 'a=rtcp-fb:* nack\r\na=rtcp-fb:106 nack \r\na=rtpmap:106');
    expect(parseOffer(offer).sections[1]?.codecs[0]?.rtcpFeedback).toEqual([{ type: 'nack' }]);
  });

  it('fails only in ways that a caller may see, whatever it is given', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 400 }), take));
  });

  it('fails only in ways that a caller may see, whatever is changed in a real offer', () => {
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

  it('is not slowed down by long lines and many lines', () => {
    const start = performance.now();
    take(`v=0\r\no=- 1 1 IN IP4 0.0.0.0\r\n${'a=x\r\n'.repeat(50_000)}`);
    take(`v=0\r\no=- 1 1 IN IP4 0.0.0.0\r\nm=audio 9 UDP/TLS/RTP/SAVPF 111\r\na=candidate:${'1 '.repeat(120_000)}\r\n`);
    expect(performance.now() - start).toBeLessThan(5000);
  });
});

describe('fmtp', () => {
  it.each([
    ['profile-level-id=640032;packetization-mode=1', { 'profile-level-id': '640032', 'packetization-mode': 1 }],
    [
      'sprop-parameter-sets=Z0LA==,aM4=; level-asymmetry-allowed=1',
      { 'sprop-parameter-sets': 'Z0LA==,aM4=', 'level-asymmetry-allowed': 1 },
    ],
    ['111/111', {}],
    ['0-15', {}],
    ['x=007;y=12345678901', { x: '007', y: '12345678901' }],
  ])('reads %s', (config, parameters) => {
    expect(parseFmtp(config)).toEqual(parameters);
  });

  it('writes what it read', () => {
    const name = fc.stringMatching(/^[a-z][a-z-]{0,10}$/);
    const value = fc.oneof(fc.nat(999_999), fc.stringMatching(/^[a-z][a-z0-9,=/]{0,10}$/));
    fc.assert(
      fc.property(fc.dictionary(name, value, { noNullPrototype: true }), parameters => {
        expect(parseFmtp(formatFmtp(parameters))).toEqual(parameters);
      }),
    );
  });
});
