import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { waitFor } from '@rtms/testing';
import { TestBroadcast } from '../../../apps/transcoder/src/delivery/testing/test-broadcast.js';
import { publishSegment } from '../../media/start-origin.js';
import { CountedOrigin, logOf, RunningCache } from './running-cache.js';

describe('a cache in front of the HLS origin', () => {
  let broadcast: TestBroadcast;
  let origin: CountedOrigin;
  let cache: RunningCache;
  let directory: string;

  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'rtms-hls-cache-'));
    broadcast = await TestBroadcast.open();
    origin = await CountedOrigin.before(broadcast.origin.url);
    cache = await RunningCache.start(directory, origin.port);
  });
  afterEach(async () => {
    await cache?.close();
    await origin?.close();
    await broadcast?.close();
    rmSync(directory, { recursive: true, force: true });
  });

  const playlistPath = (): string => `${broadcast.signed}/180p/index.m3u8`;
  const bytesOf = async (answer: Response): Promise<Buffer> => Buffer.from(await answer.arrayBuffer());

  it('asks the origin once for a segment that a hundred viewers request at the same moment', async () => {
    const path = await broadcast.firstSegment();
    const answers = await Promise.all(Array.from({ length: 100 }, () => cache.get(path)));
    const bodies = await Promise.all(answers.map(bytesOf));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(bodies.every(body => body.equals(broadcast.media[0]!.segments[0]!.bytes))).toBe(true);
    expect(origin.requestsFor(path)).toBe(1);
  });

  it('gives the second viewer the first one’s copy, also in ranges, and marks it as a hit', async () => {
    const path = await broadcast.firstSegment();
    const first = await cache.get(path);
    await bytesOf(first);
    const second = await cache.get(`${path}?viewer=2&_HLS_msn=2`, { Range: 'bytes=10-19' });
    expect([first, second].map(({ headers }) => headers.get('x-cache-status'))).toEqual(['MISS', 'HIT']);
    expect(second.status).toBe(206);
    expect(await bytesOf(second)).toEqual(broadcast.media[0]!.segments[0]!.bytes.subarray(10, 20));
    expect(second.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(origin.paths).toHaveLength(1);
  });

  it('keeps a playlist for its max-age, then fetches it again', async () => {
    const old = await cache.get(playlistPath());
    const before = await old.text();
    expect(old.headers.get('cache-control')).toBe('public, max-age=1');
    // It may be older than a second by then, and the cache fetches it again.
    const kept = await waitFor(async () => {
      const again = await cache.get(playlistPath());
      return again.headers.get('x-cache-status') === 'HIT' ? again : undefined;
    });
    expect(await kept.text()).toBe(before);
    const asked = origin.requestsFor(playlistPath());
    await publishSegment(broadcast.presentation, broadcast.media, 0, new Date());
    await waitFor(async () => (await (await cache.get(playlistPath())).text()) !== before, {
      what: 'the new playlist',
    });
    expect(origin.requestsFor(playlistPath()) - asked).toBeLessThanOrEqual(3);
  });

  it('keeps delta updates of playlists apart from whole playlists', async () => {
    const ask = (query: string): Promise<Response> => cache.get(`${playlistPath()}${query}`);
    const answers = await Promise.all(['?_HLS_skip=YES', '?_HLS_skip=v2', '', '?_HLS_skip=other'].map(ask));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(origin.requestsFor(playlistPath()) + origin.requestsFor(`${playlistPath()}?_HLS_skip=YES`)).toBeGreaterThan(
      0,
    );
    expect(answers.filter(({ headers }) => headers.get('x-cache-status') === 'MISS')).toHaveLength(2);
  });

  it('keeps the playlists that players of low-latency HLS wait for apart, and nothing for other directives', async () => {
    const queries = [
      '?_HLS_msn=1',
      '?_HLS_msn=1&_HLS_part=0',
      '?_HLS_part=0&_HLS_msn=1',
      '',
      '?_HLS_msn=x',
      '?_HLS_part=1',
    ];
    const statuses: (string | null)[] = [];
    for (const query of queries)
      statuses.push((await cache.get(`${playlistPath()}${query}`)).headers.get('x-cache-status'));
    expect(statuses.slice(0, 2)).toEqual(['MISS', 'MISS']);
    expect(statuses[3]).toBe('MISS');
    expect(statuses.filter(status => status === 'MISS')).toHaveLength(3);
  });

  it('asks the origin for exactly the directives that its copies are kept by', async () => {
    const queries = [
      '?_HLS_msn=0&_HLS_part=12345',
      '?_HLS_msn=%30',
      '?_HLS_skip=NO&%5FHLS_msn=0',
      '?_hls_msn=9&_hls_part=1&_HLS_msn=0',
      '?viewer=1&_HLS_skip=v2&_HLS_msn=3',
    ];
    for (const query of queries) expect((await cache.get(`${playlistPath()}${query}`)).status).toBe(200);
    const asked = ['', '?_HLS_msn=9&_HLS_part=1', '?_HLS_msn=3&_HLS_skip=YES'];
    expect([...new Set(origin.paths)]).toEqual(asked.map(query => `${playlistPath()}${query}`));
  });

  it('compresses playlists itself, so that there is one copy of each', async () => {
    const askTwice = async (path: string): Promise<(string | null)[]> => {
      const ask = (encoding: string): Promise<Response> => cache.get(path, { 'Accept-Encoding': encoding });
      const [zipped, plain] = await Promise.all([ask('gzip'), ask('identity')]);
      expect([zipped, plain].map(({ headers }) => headers.get('content-encoding'))).toEqual(['gzip', null]);
      expect(await zipped.text()).toBe(await plain.text());
      return [zipped, plain].map(({ headers }) => headers.get('x-cache-status'));
    };
    // The cache checks a copy of a second ago. A machine so busy gets another try, with a playlist that has no copy yet.
    for (let number = 1; ; number += 1) {
      const path = `${playlistPath()}?_HLS_msn=${number}`;
      const statuses = await askTwice(path);
      if (!statuses.every(status => status === 'HIT' || status === 'MISS')) continue;
      expect(statuses.toSorted()).toEqual(['HIT', 'MISS']);
      expect(origin.requestsFor(path)).toBe(1);
      break;
    }
  });

  it('lets the origin check each token: one viewer’s admits no other', async () => {
    const entry = (token: string): Promise<Response> => cache.get(`${broadcast.entry}?token=${token}`);
    expect((await entry(broadcast.token)).status).toBe(200);
    expect((await entry('forged')).status).toBe(401);
    expect((await entry(broadcast.token)).headers.get('x-cache-status')).toBeNull();
    expect(origin.paths).toHaveLength(3);
  });

  it('keeps no failure: a missing file is available as soon as the origin has it', async () => {
    const missing = `${broadcast.signed}/180p/later.m4s`;
    const forged = (await broadcast.firstSegment()).replace(/\/[^/]+(\/180p)/, '/AAAA$1');
    for (const path of [missing, forged]) {
      const statuses = [(await cache.get(path)).status, (await cache.get(path)).status];
      expect(statuses[0]).toBeGreaterThanOrEqual(400);
      expect(statuses[1]).toBe(statuses[0]);
      expect(origin.requestsFor(path)).toBe(2);
    }
  });

  it('serves cached segments while the origin is away', async () => {
    const path = await broadcast.firstSegment();
    await bytesOf(await cache.get(path));
    origin.isAway = true;
    expect((await cache.get(path)).status).toBe(200);
    expect((await cache.get(`${broadcast.signed}/180p/other.m4s`)).status).toBe(502);
  });

  it('lets pages of any origin play, and answers foreign paths itself', async () => {
    const path = await broadcast.firstSegment();
    await bytesOf(await cache.get(path));
    expect((await cache.get(path)).headers.get('access-control-allow-origin')).toBe('*');
    expect((await cache.get('/metrics')).status).toBe(404);
    expect(origin.requestsFor('/metrics')).toBe(0);
  });

  it('writes no signature and no token into its log', async () => {
    const path = await broadcast.firstSegment();
    await bytesOf(await cache.get(path));
    await bytesOf(await cache.get(`${broadcast.entry}?token=${broadcast.token}`));
    const log = await waitFor(() => {
      const lines = readFileSync(logOf(directory), 'utf8').trim().split('\n');
      return lines.length >= 2 ? lines.join('\n') : undefined;
    });
    expect(log).toContain('"path":"/hls/bcast_1/…/180p/');
    expect(log).not.toContain(broadcast.signed.split('/').at(-1));
    expect(log).not.toContain(broadcast.token);
  });
});
