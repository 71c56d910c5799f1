import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MediaTestBed } from '../../testing/media-test-bed.js';
import { contentPolicy } from './content-policy.js';

describe('the dashboard’s page', () => {
  let folder: string;
  let bed: MediaTestBed;
  const page = `<!doctype html><title>RTMS</title>${' '.repeat(2000)}`;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'dashboard-'));
    await mkdir(join(folder, 'assets'));
    await mkdir(join(folder, '.vite'));
    await writeFile(join(folder, 'index.html'), page);
    await writeFile(join(folder, 'assets', 'main-4f3a.js'), `console.log(${'1+'.repeat(1000)}1)`);
    await writeFile(join(folder, 'assets', 'logo-1.png'), Buffer.alloc(2000));
    await writeFile(join(folder, '.vite', 'manifest.json'), '{}');
    bed = await MediaTestBed.start({ config: { dashboardFolder: folder } });
  });
  afterAll(async () => {
    await bed?.close();
    await rm(folder, { recursive: true, force: true });
  });

  const get = (path: string, headers: Record<string, string> = {}) => bed.gateway.http.get(path).set(headers);

  it.each(['/dashboard', '/dashboard/', '/dashboard/rooms/room_1', '/dashboard/sign-in?next=%2Fkeys'])(
    'is served at %s and revalidated each time',
    async path => {
      const { text, headers } = await get(path).expect(200);
      expect(text).toBe(page);
      expect(headers['content-type']).toContain('text/html');
      expect(headers['cache-control']).toBe('no-cache');
      await get(path, { 'If-None-Match': headers['etag'] ?? '' }).expect(304);
    },
  );

  it('is where / leads browsers, while programs get JSON', async () => {
    const { headers } = await get('/', { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }).expect(302);
    expect(headers['location']).toBe('/dashboard');
    await bed.gateway.http.head('/').expect(302);
    const { body } = await get('/', { Accept: 'application/json' }).expect(404);
    expect(body).toMatchObject({ success: false, reason: 'not_found' });
    await bed.gateway.http.post('/').set('Accept', 'text/html').expect(404);
    await get('/nowhere', { Accept: 'text/html' }).expect(404);
  });

  it('may run only its own scripts and reach the media nodes', async () => {
    const { headers } = await get('/dashboard').expect(200);
    const policy = headers['content-security-policy'] ?? '';
    const origins = [bed.sfu, bed.transcoder].map(({ publicUrl }) => new URL(publicUrl).origin);
    const connect = /connect-src ([^;]*)/.exec(policy)?.[1]?.split(' ');
    expect(connect).toEqual(["'self'", ...origins.sort()]);
    expect(/script-src ([^;]*)/.exec(policy)?.[1]).toBe("'self'");
    expect(/worker-src ([^;]*)/.exec(policy)?.[1]).toBe("'self' blob:");
    for (const rule of ["frame-ancestors 'none'", "object-src 'none'"]) expect(policy).toContain(rule);
    expect(headers['x-content-type-options']).toBe('nosniff');
  });

  it('may be embedded by other sites only as the page of a share link', async () => {
    const policyOf = async (path: string) => (await get(path).expect(200)).headers['content-security-policy'] ?? '';
    expect(await policyOf('/dashboard/watch')).toContain('frame-ancestors *');
    expect((await get('/dashboard/watch')).headers).not.toHaveProperty('x-frame-options');
    expect((await get('/dashboard')).headers['x-frame-options']).toBe('SAMEORIGIN');
    for (const path of ['/dashboard/watch/', '/dashboard/watcher', '/dashboard/rooms/watch', '/dashboard'])
      expect(await policyOf(path)).toContain("frame-ancestors 'none'");
  });

  it.each([
    ['br', 'br, gzip'],
    ['gzip', 'gzip'],
    [undefined, 'identity'],
  ])('serves compressed files that browsers cache for good: %s', async (encoding, accepted) => {
    const { headers } = await get('/dashboard/assets/main-4f3a.js', { 'Accept-Encoding': accepted }).expect(200);
    expect(headers['content-encoding']).toBe(encoding);
    expect(headers['cache-control']).toContain('immutable');
    expect(headers['content-type']).toContain('javascript');
    expect(headers['vary']).toContain('Accept-Encoding');
  });

  it('does not compress images', async () => {
    const { headers } = await get('/dashboard/assets/logo-1.png', { 'Accept-Encoding': 'br' }).expect(200);
    expect(headers['content-encoding']).toBeUndefined();
  });

  it.each([
    '/dashboard/assets/other.js',
    '/dashboard/assets/main-4f3a',
    '/dashboard/missing.css',
    '/dashboard/.vite/manifest.json',
    '/dashboard/assets/..%2f.vite%2fmanifest.json',
    '/dashboard/..%2f..%2fpackage.json',
    '/dashboard/assets%5c..%5cindex.html',
  ])('answers 404 at %s', async path => {
    const { body } = await get(path).expect(404);
    expect(body).toMatchObject({ success: false, code: 'NOT_FOUND' });
  });

  it('refuses writes, and leaves requests to its API alone', async () => {
    await bed.gateway.http.post('/dashboard/rooms').expect(404);
    await get('/dashboard/api/keys').expect(401);
  });

  it('answers an error when it is not built', async () => {
    await rm(join(folder, 'index.html'));
    const { body } = await get('/dashboard').expect(404);
    expect(body.error).toContain('not built');
  });
});

describe('the content policy of the page', () => {
  it('contains only the origin of an address', () => {
    const policy = contentPolicy([
      'https://sfu.example:4001/base',
      'not an address',
      "javascript:alert('1')",
      'http://a;b',
    ]);
    expect(policy).toContain("connect-src 'self' https://sfu.example:4001;");
  });
});
