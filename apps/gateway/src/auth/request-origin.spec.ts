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
    ['nothing, for a page that only embeds', { referer: 'https://partner.example/page' }, []],
  ])('are told by %s', (_, headers, expected) => {
    expect(proxyOrigins(headers, own)).toEqual(expected);
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
