import fc from 'fast-check';
import { proxyOrigins, requestOrigin } from './request-origin.js';

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
    [
      'the Origin header also where a browser says more',
      { origin: 'https://a.example', 'sec-fetch-site': 'cross-site', referer: 'https://b.example/p' },
      'https://a.example',
    ],
    ['an opaque origin, for a browser that tells nothing', { 'sec-fetch-site': 'same-origin' }, 'null'],
    ['an opaque origin, for a browser with a broken referrer', { 'sec-fetch-site': 'none', referer: '::' }, 'null'],
  ])('is %s', (_, headers, expected) => {
    expect(requestOrigin(headers)).toBe(expected);
  });
});

describe('the domains that passed a request on', () => {
  const own = ['api.rtms.example', 'gateway:4000'];

  it.each<[string, Record<string, string>, string[]]>([
    ['nothing, for a request that came straight', {}, []],
    ['X-Forwarded-Host', { 'x-forwarded-host': 'app.example.com' }, ['https://app.example.com']],
    ['nothing, for the gateway’s own names', { 'x-forwarded-host': 'API.rtms.example., gateway' }, []],
    [
      'the others beside its own name',
      { 'x-forwarded-host': 'app.example, api.rtms.example' },
      ['https://app.example'],
    ],
    ['several', { 'x-forwarded-host': 'a.example, b.example:8443' }, ['https://a.example', 'https://b.example:8443']],
    ['Forwarded', { forwarded: 'for=1.2.3.4;HOST="App.example";proto=https' }, ['https://app.example']],
    ['plain HTTP', { 'x-forwarded-host': 'a.example', 'x-forwarded-proto': 'http' }, ['http://a.example']],
    [
      'HTTPS that a later hop carries on without',
      { 'x-forwarded-host': 'a.example', 'x-forwarded-proto': 'https,http' },
      ['https://a.example'],
    ],
    ['plain HTTP in Forwarded', { forwarded: 'host=a.example;proto=http' }, ['http://a.example']],
    ['nothing, for a Forwarded without a host', { forwarded: 'for=1.2.3.4; proto=https' }, []],
    [
      'each hop of Forwarded, with blanks between its pairs',
      { forwarded: 'for=1.2.3.4; host=a.example , host=b.example' },
      ['https://a.example', 'https://b.example'],
    ],
    ['a name once', { 'x-forwarded-host': 'a.example,,A.example', forwarded: 'host=a.example' }, ['https://a.example']],
    ['nothing, for its own name on another port', { 'x-forwarded-host': 'gateway:8443' }, []],
    ['a name with its own inside', { 'x-forwarded-host': 'gateway:4000.example' }, ['https://gateway:4000.example']],
    ['nothing, for a page that only embeds', { referer: 'https://partner.example/page' }, []],
  ])('are told by %s', (_, headers, expected) => {
    expect(proxyOrigins(headers, own)).toEqual(expected);
  });

  it('are told by headers that came several times', () => {
    const headers = { 'x-forwarded-host': ['a.example', 'b.example'] } as unknown as Parameters<typeof proxyOrigins>[0];
    expect(proxyOrigins(headers, own)).toEqual(['https://a.example', 'https://b.example']);
  });

  it('are 16 at most', () => {
    const names = Array.from({ length: 17 }, (_, index) => `p${index}.example`);
    const found = proxyOrigins({ 'x-forwarded-host': names.join(', ') }, own);
    expect(found).toEqual(names.slice(0, 16).map(name => `https://${name}`));
  });

  it('are read from anything without a fault', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (host, forwarded) => {
        const found = proxyOrigins({ 'x-forwarded-host': host, forwarded }, own);
        return found.length <= 16 && found.every(origin => origin.includes('://'));
      }),
    );
  });
});
