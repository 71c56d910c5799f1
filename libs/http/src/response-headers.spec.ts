import express from 'express';
import request from 'supertest';
import { crossOrigin, type CrossOriginPolicy } from './response-headers.js';
import { mediaHeaders } from './index.js';

const policy: CrossOriginPolicy = {
  origin: '*',
  methods: 'GET,POST',
  requestHeaders: 'Authorization',
  responseHeaders: 'ETag,Link',
  maxAgeSeconds: 600,
  preflight: 'next',
};
const page = 'https://page.example';

/** Returns the status and the headers of CORS, in the order in which the service sends them. */
async function ask(own: Partial<CrossOriginPolicy>, method: 'get' | 'options', origin?: string): Promise<unknown[]> {
  const app = express().use(crossOrigin({ ...policy, ...own }), (_request, response) => void response.sendStatus(200));
  const asking = request(app)[method]('/');
  const { status, headers } = await (origin === undefined ? asking : asking.set('Origin', origin));
  const sent = Object.entries(headers as Record<string, string>).flatMap(([name, value]) =>
    name.startsWith('access-control-') ? [`${name.slice('access-control-'.length)}: ${value}`] : [],
  );
  return [status, ...sent];
}

const permissions = ['allow-methods: GET,POST', 'allow-headers: Authorization', 'max-age: 600'];

describe('crossOrigin', () => {
  it('lets every page read a response', async () => {
    const expected = [200, 'allow-origin: *', 'expose-headers: ETag,Link'];
    expect(await ask({}, 'get')).toEqual(expected);
    expect(await ask({}, 'get', page)).toEqual(expected);
  });

  it('lets the requesting page read a response', async () => {
    const expected = [200, `allow-origin: ${page}`, 'expose-headers: ETag,Link'];
    expect(await ask({ origin: 'requesting' }, 'get', page)).toEqual(expected);
    expect(await ask({ origin: 'requesting' }, 'get')).toEqual([200]);
  });

  it('answers a preflight', async () => {
    const own: Partial<CrossOriginPolicy> = { origin: 'requesting', preflight: 'here' };
    expect(await ask(own, 'options', page)).toEqual([204, `allow-origin: ${page}`, ...permissions]);
    expect(await ask(own, 'options')).toEqual([204, ...permissions]);
  });

  it('passes a preflight to the next handler', async () => {
    const expected = [200, 'allow-origin: *', ...permissions, 'expose-headers: ETag,Link'];
    expect(await ask({}, 'options', page)).toEqual(expected);
  });
});

describe('headers of media', () => {
  it('allow loading by any page and forbid scripts', async () => {
    const app = express()
      .use(mediaHeaders())
      .get('/', (_request, response) => void response.send('media'));
    const { headers } = await request(app).get('/').expect(200);
    expect(headers).toMatchObject({
      'content-security-policy': "default-src 'none';media-src 'self';frame-ancestors 'none'",
      'cross-origin-resource-policy': 'cross-origin',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
    });
    expect(headers['strict-transport-security']).toContain('max-age');
    expect(headers['cross-origin-opener-policy']).toBeUndefined();
  });
});
