import fc from 'fast-check';
import { domainsToAskFor, isOriginAllowed } from './origin-policy.js';

const registered = ['app.example.com', '*.shop.example', 'xn--bcher-kva.example'];

/** Origins of a production key. The account registered `app.example.com`, `*.shop.example` and `bücher.example`. */
const production: [string, string | undefined, boolean][] = [
  ['a server, which sends no origin', undefined, true],
  ['a registered domain over HTTPS', 'https://app.example.com', true],
  ['a registered domain on another port', 'https://app.example.com:8443', true],
  ['a registered domain in upper case', 'HTTPS://APP.Example.COM', true],
  ['a registered domain with its final dot', 'https://app.example.com.', true],
  ['a name below a wildcard', 'https://eu.shop.example', true],
  ['a name deep below a wildcard', 'https://a.b.shop.example', true],
  ['an internationalised name in its ASCII form', 'https://xn--bcher-kva.example', true],
  ['an internationalised name as people write it', 'https://Bücher.example', true],
  ['a registered domain without HTTPS', 'http://app.example.com', false],
  ['a registered domain on the port of HTTPS without HTTPS', 'http://app.example.com:443', false],
  ['a registered domain over another protocol', 'wss://app.example.com', false],
  ['an unregistered domain', 'https://evil.example', false],
  ['a name below a domain that has no wildcard', 'https://x.app.example.com', false],
  ['the domain above a registered one', 'https://example.com', false],
  ['a name that only ends alike', 'https://notapp.example.com', false],
  ['a name that only ends like a wildcard', 'https://evilshop.example', false],
  ['the wildcard’s own apex', 'https://shop.example', false],
  ['a name that is only shown alike', 'https://xn--bucher-kva.example', false],
  ['a registered domain as a prefix of another', 'https://app.example.com.evil.example', false],
  ['a registered domain as user information', 'https://app.example.com@evil.example', false],
  ['a registered domain after a backslash', 'https://evil.example\\.shop.example', false],
  ['a registered domain in a query', 'https://evil.example?.shop.example', false],
  ['a registered domain in percent-encoding', 'https://app%2Eexample.com', false],
  ['an origin with a path', 'https://app.example.com/', false],
  ['two final dots', 'https://app.example.com..', false],
  ['an empty label below a wildcard', 'https://.shop.example', false],
  ['an address', 'https://93.184.216.34', false],
  ['an IPv6 address', 'https://[::1]', false],
  ['the same computer', 'http://localhost:3000', false],
  ['an opaque origin', 'null', false],
  ['an empty origin', '', false],
  ['two origins', 'https://app.example.com, https://evil.example', false],
  ['a browser extension', 'chrome-extension://abcdefgh', false],
  ['a file', 'file://', false],
];

describe('the origin policy', () => {
  it.each(production)('judges a production key from %s', (_, origin, isAllowed) => {
    expect(isOriginAllowed({ keyType: 'production', origin, registered, narrowing: null })).toBe(isAllowed);
  });

  it('refuses a production key from each browser while no domain is registered', () => {
    const origin = 'https://app.example.com';
    expect(isOriginAllowed({ keyType: 'production', origin, registered: [], narrowing: null })).toBe(false);
  });

  it('accepts a sandbox key from each origin', () => {
    fc.assert(
      fc.property(fc.string(), origin =>
        isOriginAllowed({ keyType: 'sandbox', origin, registered: [], narrowing: null }),
      ),
    );
  });

  it.each<[string, string | undefined, boolean]>([
    ['a server', undefined, true],
    ['one of its domains', 'https://app.example.com', true],
    ['one of its domains without HTTPS, on any port', 'http://app.example.com:3000', true],
    ['below one of its wildcards', 'https://eu.shop.example', true],
    ['elsewhere', 'https://evil.example', false],
    ['an opaque origin', 'null', false],
  ])('judges a narrowed sandbox key from %s: %s → %s', (_, origin, isAllowed) => {
    const narrowing = ['app.example.com', '*.shop.example'];
    expect(isOriginAllowed({ keyType: 'sandbox', origin, registered: [], narrowing })).toBe(isAllowed);
  });

  it.each<[string, string, boolean]>([
    ['registered and named', 'https://eu.shop.example', true],
    ['registered alone', 'https://app.example.com', false],
    ['named alone', 'https://other.example', false],
    ['registered and named, without HTTPS', 'http://eu.shop.example', false],
  ])('judges a narrowed production key from a domain that is %s: %s → %s', (_, origin, isAllowed) => {
    const narrowing = ['eu.shop.example', 'other.example'];
    expect(isOriginAllowed({ keyType: 'production', origin, registered, narrowing })).toBe(isAllowed);
  });

  const origins = fc.oneof(
    fc.string(),
    fc.webUrl(),
    fc.domain().map(domain => `https://${domain}`),
    fc
      .tuple(fc.constantFrom('https://', 'http://', 'HTTPS://', ''), fc.string(), fc.constantFrom(...registered))
      .map(parts => parts.join('')),
  );

  it('accepts a production key only from registered hosts', () => {
    const expected =
      /^https:\/\/(?:app\.example\.com|(?:[a-z0-9-]+\.)+shop\.example|xn--bcher-kva\.example)\.?(?::\d+)?$/i;
    fc.assert(
      fc.property(origins, origin => {
        const isAllowed = isOriginAllowed({ keyType: 'production', origin, registered, narrowing: null });
        return !isAllowed || expected.test(new URL(origin).origin);
      }),
    );
  });

  it('needs only the domains of domainsToAskFor', () => {
    fc.assert(
      fc.property(origins, origin => {
        const asked = domainsToAskFor([origin]);
        const found = registered.filter(domain => asked.includes(domain));
        const question = { keyType: 'production' as const, origin, narrowing: null };
        return isOriginAllowed({ ...question, registered }) === isOriginAllowed({ ...question, registered: found });
      }),
    );
  });

  it('never allows a narrowed key more', () => {
    const domains = fc.array(fc.constantFrom('app.example.com', '*.shop.example', 'evil.example'));
    const keyTypes = fc.constantFrom('sandbox' as const, 'production' as const);
    fc.assert(
      fc.property(origins, keyTypes, domains, (origin, keyType, narrowing) => {
        const question = { keyType, origin, registered };
        return (
          !isOriginAllowed({ ...question, narrowing }) ||
          (isOriginAllowed({ ...question, narrowing: null }) && narrowing.length > 0)
        );
      }),
    );
  });
});
