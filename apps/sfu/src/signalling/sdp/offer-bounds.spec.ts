import { ServiceError } from '@rtms/contracts';
import { parseOffer } from './parse-offer.js';
import { parseSdpFragment } from './sdpfrag.js';
import { chromiumPublishes } from './testing/client-offers.js';

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

  const usual = chromiumPublishes().trim().split('\r\n');
  const codecs = usual
    .slice(usual.findLastIndex(line => line.startsWith('m=')))
    .filter(line => line.startsWith('a=rtpmap:'));

  it.each([
    ['1,000 lines', many(1_000 - usual.length, () => 'a=x')],
    ['4,096 characters in a line', many(1, () => `a=${'x'.repeat(4_094)}`)],
    ['96 codecs in a section', many(96 - codecs.length, index => `a=rtpmap:${index} x/9`)],
  ])('takes %s', (_case, offer) => {
    expect(reasonOf(offer)).toBe('taken');
  });

  it('names the line that is too long', () => {
    const [, message] = reasonOf(`v=${'0'.repeat(4_095)}\r\n`) as [string, string];
    expect(message).toContain('in line 1;');
  });

  it('accepts the candidates of a host with forty interfaces', () => {
    expect(reasonOf(many(160, index => `a=candidate:${index} 1 udp 1 2001:db8::${index} 9 typ host`))).toBe('taken');
  });

  it('refuses a fragment with too many lines', () => {
    const fragment = 'a=candidate:1 1 udp 1 192.0.2.1 9 typ host\r\n'.repeat(1_001);
    expect(() => parseSdpFragment(fragment)).toThrow(expect.objectContaining({ reason: 'body_too_large' }));
  });
});
