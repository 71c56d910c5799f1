import fc from 'fast-check';
import { covers, domainsCovering, isWithin, normalisedDomain, readDomain } from './host-name.js';

/** A name of so many characters, 193 to 255, below `a.com`. */
const nameOf = (characters: number) => `${`${'a'.repeat(61)}.`.repeat(3)}${'a'.repeat(characters - 192)}.a.com`;

describe('readDomain', () => {
  it.each([
    ['app.example.com', 'app.example.com'],
    ['App.EXAMPLE.com', 'app.example.com'],
    ['app.example.com.', 'app.example.com'],
    ['example.co.uk', 'example.co.uk'],
    ['me.github.io', 'me.github.io'],
    ['*.example.com', '*.example.com'],
    ['*.Bücher.example', '*.xn--bcher-kva.example'],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['faß.example', 'xn--fa-hia.example'],
    ['例え。テスト', 'xn--r8jz45g.xn--zckzah'],
    ['xn--bcher-kva.example', 'xn--bcher-kva.example'],
    ['a-b.internal', 'a-b.internal'],
    [`${'a'.repeat(63)}.example.com`, `${'a'.repeat(63)}.example.com`],
    ['example.1a', 'example.1a'],
    ['example.x1', 'example.x1'],
    ['example.0xg', 'example.0xg'],
    [`a.${nameOf(251)}`, `a.${nameOf(251)}`],
    [`a.${nameOf(251)}.`, `a.${nameOf(251)}`],
    [`*.${nameOf(251)}`, `*.${nameOf(251)}`],
  ])('reads %s as %s', (text, domain) => {
    expect(readDomain(text)).toEqual({ domain });
  });

  it.each([
    '',
    ' ',
    'https://app.example.com',
    'app.example.com/path',
    'app.example.com:443',
    'user@app.example.com',
    'app.example.com?x',
    'app.example.com#x',
    'app example.com',
    ' app.example.com',
    'app.example.com\n',
    'app%2eexample.com',
    'app\\example.com',
    'app..example.com',
    '.example.com',
    'app.example.com..',
    '-app.example.com',
    'app-.example.com',
    'under_score.example.com',
    'a.*.example.com',
    'app*.example.com',
    '*example.com',
    '**.example.com',
    '*.*.example.com',
    '*',
    '*.',
    '93.184.216.34',
    '*.184.216.34',
    '0x7f.1',
    'example.123',
    '[::1]',
    'xn--zzzzzzzz99999.example',
    'XN--a.example',
    'xn--a-ecp.example',
    'app.xn--0.example',
    'app\u00ad.example.com',
    `${'a'.repeat(64)}.example.com`,
    `${'a.'.repeat(125)}example.com`,
    `aa.${nameOf(251)}`,
    `aa.${nameOf(251)}.`,
    `*.${nameOf(252)}`,
    'a'.repeat(100_000),
  ])('refuses %j', text => {
    expect(readDomain(text)).toEqual({ problem: expect.stringContaining('must be a host name') });
  });

  it.each(['com', 'localhost', 'co.uk', '*.com', '*.co.uk', 'github.io', '*.github.io', 'xn--p1ai', 'рф', 'COM.'])(
    'is not the public suffix %s',
    text => {
      expect(readDomain(text)).toEqual({ problem: expect.stringContaining('public suffix') });
    },
  );

  it('does not change a canonical form', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'grapheme' }), fc.domain(), fc.webUrl()), text => {
        const reading = readDomain(text);
        if ('problem' in reading) return true;
        const again = readDomain(reading.domain);
        return (
          'domain' in again && again.domain === reading.domain && /^(?:\*\.)?[a-z0-9.-]{3,253}$/.test(again.domain)
        );
      }),
    );
  });
});

describe('normalisedDomain', () => {
  it('returns the canonical form, or throws what is wrong', () => {
    expect(normalisedDomain('*.Bücher.example')).toBe('*.xn--bcher-kva.example');
    const message = expect.stringContaining('must be a host name') as string;
    expect(() => normalisedDomain('a b')).toThrow(expect.objectContaining({ reason: 'invalid_request', message }));
  });
});

describe('covers and isWithin', () => {
  it.each([
    ['a.example', 'a.example', true],
    ['a.example', 'b.a.example', false],
    ['*.a.example', 'b.a.example', true],
    ['*.a.example', 'c.b.a.example', true],
    ['*.a.example', 'a.example', false],
    ['*.a.example', 'ba.example', false],
    ['*.a.example', '.a.example', false],
  ])('%s covers %s: %s', (domain, host, expected) => {
    expect(covers(domain, host)).toBe(expected);
  });

  it('finds each domain that covers a host', () => {
    expect(domainsCovering('a.b.example')).toEqual(['a.b.example', '*.b.example', '*.example']);
  });

  it.each([
    ['a.example', ['a.example'], true],
    ['a.b.example', ['*.b.example'], true],
    ['*.b.example', ['*.b.example'], true],
    ['*.a.b.example', ['*.b.example'], true],
    ['*.b.example', ['*.a.b.example'], false],
    ['*.b.example', ['a.b.example', 'any.b.example'], false],
    ['b.example', ['*.b.example'], false],
    ['a.example', [], false],
  ])('%s lies within %j: %s', (domain, others, expected) => {
    expect(isWithin(domain, others)).toBe(expected);
  });
});
