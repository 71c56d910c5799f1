import fc from 'fast-check';
import { isOriginAllowed, requestOrigin } from './origin-policy.js';

const domains = ['app.example.com', '*.shop.example', 'xn--bcher-kva.example'];

describe('the origin policy', () => {
  it.each<[string, string | undefined, boolean]>([
    ['a server, which sends no origin', undefined, true],
    ['a registered domain over HTTPS', 'https://app.example.com', true],
    ['a registered domain on another port', 'https://app.example.com:8443', true],
    ['a name below a wildcard', 'https://eu.shop.example', true],
    ['a name deep below a wildcard', 'https://a.b.shop.example', true],
    ['an internationalised name in its ASCII form', 'https://xn--bcher-kva.example', true],
    ['a registered domain without HTTPS', 'http://app.example.com', false],
    ['an unregistered domain', 'https://evil.example', false],
    ['a name below a domain that has no wildcard', 'https://x.app.example.com', false],
    ['a name that only ends alike', 'https://notapp.example.com', false],
    ['a name that only ends like a wildcard', 'https://evilshop.example', false],
    ['the wildcard’s own apex', 'https://shop.example', false],
    ['a registered domain as a prefix of another', 'https://app.example.com.evil.example', false],
    ['a registered domain as user information', 'https://app.example.com@evil.example', false],
    ['an origin with a path', 'https://app.example.com/', false],
    ['an origin in capitals, as no browser writes it', 'https://APP.example.com', false],
    ['an origin with a trailing dot', 'https://app.example.com.', false],
    ['an empty label below a wildcard', 'https://.shop.example', false],
    ['an opaque origin', 'null', false],
    ['an empty origin', '', false],
    ['two origins', 'https://app.example.com, https://evil.example', false],
    ['a browser extension', 'chrome-extension://abcdefgh', false],
  ])('a production key from %s', (_, origin, isAllowed) => {
    expect(isOriginAllowed({ keyType: 'production', origin, domains })).toBe(isAllowed);
  });

  it('takes a production key from no browser while no domain is registered', () => {
    expect(isOriginAllowed({ keyType: 'production', origin: 'https://app.example.com', domains: [] })).toBe(false);
  });

  it('takes a sandbox key from anywhere', () => {
    fc.assert(fc.property(fc.string(), origin => isOriginAllowed({ keyType: 'sandbox', origin, domains: [] })));
  });

  it('takes a production key only from origins whose host is registered, whatever is sent', () => {
    const origins = fc.oneof(
      fc.string(),
      fc.webUrl(),
      fc.domain().map(domain => `https://${domain}`),
    );
    fc.assert(
      fc.property(origins, origin => {
        const isAllowed = isOriginAllowed({ keyType: 'production', origin, domains });
        return (
          !isAllowed ||
          /^https:\/\/(?:app\.example\.com|(?:[^/@]+\.)shop\.example|xn--bcher-kva\.example)(?::\d+)?$/.test(origin)
        );
      }),
    );
  });
});

describe('where a request comes from', () => {
  it.each([
    ['the Origin header', { origin: 'https://a.example', referer: 'https://b.example/page' }, 'https://a.example'],
    ['nowhere, for a server', {}, undefined],
    ['nowhere, for a server that sends a referrer', { referer: 'https://b.example/page' }, undefined],
    [
      'the page, for a read of a page’s own origin',
      { 'sec-fetch-site': 'same-origin', referer: 'https://b.example/p' },
      'https://b.example',
    ],
    ['an opaque origin, for a browser that tells nothing', { 'sec-fetch-site': 'same-origin' }, 'null'],
    ['an opaque origin, for a browser with a broken referrer', { 'sec-fetch-site': 'none', referer: '::' }, 'null'],
  ])('is %s', (_, headers, expected) => {
    expect(requestOrigin(headers)).toBe(expected);
  });
});
