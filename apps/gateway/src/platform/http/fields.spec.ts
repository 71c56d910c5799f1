import fc from 'fast-check';
import { isHostAddress } from './fields.js';
import { isHttpsURL } from './fields.js';
import { canonicalLanguage, canonicalLanguages } from './fields.js';
import { isNetwork } from './fields.js';
import { hasLength } from './fields.js';

const checks = {
  host: isHostAddress,
  https: isHttpsURL,
  network: isNetwork,
  language: (value: unknown) => canonicalLanguage(value) !== undefined,
  text: (value: unknown) => hasLength(value, 1, 4),
};

describe('rules for fields', () => {
  it.each<[keyof typeof checks, unknown, boolean]>([
    ['https', 'https://api.example/v1?a=b', true],
    ['https', 'HTTPS://api.example', true],
    ['https', 'https://[2001:db8::1]:8443/x', true],
    ['https', 'http://api.example', false],
    ['https', 'https:api.example', false],
    ['https', 'https://', false],
    ['https', 'https://user:password@api.example', false],
    ['https', 'https://api.example/a b', false],
    ['https', 'https://api.example\\@other.example', false],
    ['https', ' https://api.example', false],
    ['https', 'javascript://api.example', false],
    ['https', `https://api.example/${'a'.repeat(2048)}`, false],
    ['https', 7, false],
    ['network', '192.0.2.0/24', true],
    ['network', '0.0.0.0/0', true],
    ['network', '192.0.2.7/32', true],
    ['network', '2001:db8::/32', true],
    ['network', '::ffff:192.0.2.0/120', true],
    ['network', '192.0.2.0', false],
    ['network', '192.0.2.0/33', false],
    ['network', '192.0.2.0/08', false],
    ['network', '192.0.2.0/', false],
    ['network', '256.0.0.0/8', false],
    ['network', '2001:db8::/129', false],
    ['network', 'fe80::1%eth0/64', false],
    ['network', 'example.org/24', false],
    ['network', null, false],
    ['host', 'sip.example.org', true],
    ['host', 'localhost', true],
    ['host', '192.0.2.7', true],
    ['host', '2001:db8::7', true],
    ['host', '192.0.2.256', false],
    ['host', 'sip_1.example', false],
    ['host', '-sip.example', false],
    ['host', 'sip..example', false],
    ['host', 'sip:example', false],
    ['host', 'a'.repeat(64), false],
    ['host', '', false],
    ['language', 'en', true],
    ['language', 'zh-Hant-TW', true],
    ['language', 'de-DE-u-co-phonebk', true],
    ['language', 'en_US', false],
    ['language', 'english language', false],
    ['language', '', false],
    ['language', 5, false],
    ['text', 'a', true],
    ['text', '👋👋👋👋', true],
    ['text', '👋👋👋👋👋', false],
    ['text', '\uFE0F'.repeat(5), false],
    ['text', '   ', false],
    ['text', '', false],
    ['text', ['a'], false],
  ])('%s %j: %s', (rule, value, expected) => {
    expect(checks[rule](value)).toBe(expected);
  });

  it('accepts or refuses any value without an error', () => {
    fc.assert(
      fc.property(fc.anything(), fc.constantFrom(...Object.values(checks)), (value, check) => {
        expect(typeof check(value)).toBe('boolean');
      }),
    );
  });

  it('accepts every IPv4 network', () => {
    fc.assert(
      fc.property(fc.ipV4(), fc.integer({ min: 0, max: 32 }), (address, bits) => {
        expect(isNetwork(`${address}/${bits}`)).toBe(true);
      }),
    );
  });

  it('returns each language once, in its canonical form', () => {
    expect(canonicalLanguages(['EN-us', 'en-US', 'pt-br'])).toEqual(['en-US', 'pt-BR']);
  });
});
