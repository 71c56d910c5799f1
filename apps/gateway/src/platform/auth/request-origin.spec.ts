import fc from 'fast-check';
import { proxyOrigins, requestOrigin } from './request-origin.js';

describe('requestOrigin', () => {
  it.each([
    ['the Origin header', { origin: 'https://a.example', referer: 'https://b.example/page' }, 'https://a.example'],
    ['nothing for a server', {}, undefined],
    ['nothing for a server that sends a referrer', { referer: 'https://b.example/page' }, undefined],
    [
      'the page for a read of the page’s own origin',
      { 'sec-fetch-site': 'same-origin', referer: 'https://b.example/p' },
      'https://b.example',
    ],
    [
      'the Origin header when the browser sends more headers',
      { origin: 'https://a.example', 'sec-fetch-site': 'cross-site', referer: 'https://b.example/p' },
      'https://a.example',
    ],
    ['an opaque origin for a browser without a referrer', { 'sec-fetch-site': 'same-origin' }, 'null'],
    ['an opaque origin for a browser with a broken referrer', { 'sec-fetch-site': 'none', referer: '::' }, 'null'],
  ])('returns %s', (_, headers, expected) => {
    expect(requestOrigin(headers)).toBe(expected);
  });
});

describe('proxyOrigins', () => {
  const own = ['api.rtms.example', 'gateway:4000'];

  it.each<[string, Record<string, string>, string[]]>([
    ['nothing in a direct request', {}, []],
    ['the host of X-Forwarded-Host', { 'x-forwarded-host': 'app.example.com' }, ['https://app.example.com']],
    ['nothing in the gateway’s own names', { 'x-forwarded-host': 'API.rtms.example., gateway' }, []],
    [
      'other names beside the gateway’s own name',
      { 'x-forwarded-host': 'app.example, api.rtms.example' },
      ['https://app.example'],
    ],
    [
      'several hosts',
      { 'x-forwarded-host': 'a.example, b.example:8443' },
      ['https://a.example', 'https://b.example:8443'],
    ],
    ['the host of Forwarded', { forwarded: 'for=1.2.3.4;HOST="App.example";proto=https' }, ['https://app.example']],
    [
      'the scheme of X-Forwarded-Proto',
      { 'x-forwarded-host': 'a.example', 'x-forwarded-proto': 'http' },
      ['http://a.example'],
    ],
    [
      'the scheme of the first hop',
      { 'x-forwarded-host': 'a.example', 'x-forwarded-proto': 'https,http' },
      ['https://a.example'],
    ],
    ['the scheme of Forwarded', { forwarded: 'host=a.example;proto=http' }, ['http://a.example']],
    ['nothing in a Forwarded without a host', { forwarded: 'for=1.2.3.4; proto=https' }, []],
    [
      'each hop of Forwarded with spaces between the pairs',
      { forwarded: 'for=1.2.3.4; host=a.example , host=b.example' },
      ['https://a.example', 'https://b.example'],
    ],
    ['a name once', { 'x-forwarded-host': 'a.example,,A.example', forwarded: 'host=a.example' }, ['https://a.example']],
    ['nothing in the gateway’s own name on another port', { 'x-forwarded-host': 'gateway:8443' }, []],
    [
      'a name that contains the gateway’s own name',
      { 'x-forwarded-host': 'gateway:4000.example' },
      ['https://gateway:4000.example'],
    ],
    ['nothing in the referrer of an embedding page', { referer: 'https://partner.example/page' }, []],
  ])('finds %s', (_, headers, expected) => {
    expect(proxyOrigins(headers, own)).toEqual(expected);
  });

  it('reads repeated headers', () => {
    const headers = { 'x-forwarded-host': ['a.example', 'b.example'] } as unknown as Parameters<typeof proxyOrigins>[0];
    expect(proxyOrigins(headers, own)).toEqual(['https://a.example', 'https://b.example']);
  });

  it('returns at most 16 origins', () => {
    const names = Array.from({ length: 17 }, (_, index) => `p${index}.example`);
    const found = proxyOrigins({ 'x-forwarded-host': names.join(', ') }, own);
    expect(found).toEqual(names.slice(0, 16).map(name => `https://${name}`));
  });

  it('reads any header without an error', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (host, forwarded) => {
        const found = proxyOrigins({ 'x-forwarded-host': host, forwarded }, own);
        return found.length <= 16 && found.every(origin => origin.includes('://'));
      }),
    );
  });
});
