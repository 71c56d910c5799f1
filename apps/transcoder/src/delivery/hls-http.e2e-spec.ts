import { connect } from 'node:net';
import { unpackHlsSamples } from '@rtms/contracts';
import { ManualClock } from '@rtms/testing';
import request from 'supertest';
import { publishRun, startOrigin } from '../../../../test/media/start-origin.js';
import { options, sizes, TestBroadcast } from './testing/test-broadcast.js';

describe('HLS delivery', () => {
  let broadcast: TestBroadcast;
  beforeEach(async () => {
    broadcast = await TestBroadcast.open();
  });
  afterEach(() => broadcast.close());

  describe('HTTP features of the HLS origin', () => {
    it('compresses only playlists, for clients that accept gzip', async () => {
      const path = `${broadcast.signed}/180p/index.m3u8`;
      const zipped = await broadcast.get(path).set('Accept-Encoding', 'gzip, br');
      expect([zipped.headers['content-encoding'], zipped.headers['vary']]).toEqual(['gzip', 'Accept-Encoding']);
      const plain = await broadcast.get(path).set('Accept-Encoding', 'identity');
      expect(plain.headers['content-encoding']).toBeUndefined();
      expect(plain.text).toBe(zipped.text);
      expect(plain.headers['etag']).not.toBe(zipped.headers['etag']);
      const segment = await broadcast.get(await broadcast.firstSegment()).set('Accept-Encoding', 'gzip');
      expect(segment.headers['content-encoding']).toBeUndefined();
    });

    it.each(['gzip', 'gzip, deflate, br', 'identity', 'gzip;q=0', 'br, gzip'])(
      'answers again as at first, from memory, to Accept-Encoding: %s',
      async encoding => {
        const paths = [
          await broadcast.firstSegment(),
          `${broadcast.signed}/180p/index.m3u8`,
          `${broadcast.signed}/index.m3u8`,
        ];
        for (const path of paths) {
          const ask = () =>
            broadcast.get(path).set('Accept-Encoding', encoding).set('X-Request-Id', 'mine').buffer(true);
          const [first, ...others] = [await ask(), await ask(), await ask()];
          const withoutDate = ({ date: _date, ...headers }: Record<string, string>) => headers;
          for (const other of others) {
            expect([other.status, withoutDate(other.headers)]).toEqual([200, withoutDate(first.headers)]);
            expect([other.text, other.body]).toEqual([first.text, first.body]);
          }
          expect(first.headers['x-request-id']).toBe('mine');
          // Needs more than the answer from memory.
          expect((await ask().set('If-None-Match', first.headers['etag']!)).status).toBe(304);
        }
      },
    );

    it('measures players by their client data, and answers them as others, from memory too', async () => {
      const clock = new ManualClock();
      const measured = await TestBroadcast.open({ clock });
      try {
        const path = await measured.firstSegment();
        const plain = await measured.get(path);
        const data = (sessionID: string) => `CMCD=${encodeURIComponent(`bl=100,bs,ot=v,sid="${sessionID}"`)}`;
        // The second answer comes from memory.
        for (const query of [data('a'), data('a'), 'CMCD=%E0%A4%A', `CMCD=${'x'.repeat(4_000)}`, 'CMCD=sid%3D%22']) {
          const { status, headers } = await measured.get(`${path}?${query}`);
          expect([status, headers['etag']]).toEqual([200, plain.headers['etag']]);
        }
        expect((await measured.get(path).set({ 'CMCD-Session': 'sid="b"', 'CMCD-Status': 'bs' })).status).toBe(200);
        expect((await measured.get(`${path.replace('/bcast_1/', '/bcast_2/')}?${data('c')}`)).status).toBe(403);
        await clock.advance(10_000);
        const { minutes } = measured.origin.viewers.read({ broadcastID: 'bcast_1', viewers: 9 });
        expect(minutes.map(each => unpackHlsSamples(each).map(({ stalls }) => stalls)).sort()).toEqual([[1], [2]]);
      } finally {
        await measured.close();
      }
    });

    it('answers nothing from memory that it must refuse', async () => {
      const path = await broadcast.firstSegment();
      for (let time = 0; time < 2; time += 1) expect((await broadcast.get(path)).status).toBe(200);
      expect((await request(broadcast.origin.url).post(path)).status).toBe(405);
      expect((await broadcast.get(path.replace('/180p/', '/90p/../180p/'))).status).toBe(404);
      broadcast.verifier.setKeys({ keys: [] });
      expect((await broadcast.get(path)).status).toBe(403);
    });

    it('sends a player that can skip only the newer segments of a broadcast to seek back in', async () => {
      const options = { segmentSeconds: 1, windowSegments: 6, dvrSeconds: 3600 };
      const dvr = await broadcast.origin.present('bcast_1', options);
      for (let run = 0; run < 6; run += 1) await publishRun(dvr, broadcast.media, sizes, new Date(run * 3_000));
      const path = `${broadcast.signed}/180p/index.m3u8`;
      const [whole, delta] = [await broadcast.get(path), await broadcast.get(`${path}?_HLS_skip=YES`)];
      expect(whole.text.match(/^#EXTINF/gm)).toHaveLength(18);
      const skipped = Number(/^#EXT-X-SKIP:SKIPPED-SEGMENTS=(\d+)$/m.exec(delta.text)?.[1]);
      expect(skipped).toBeGreaterThan(3);
      expect(delta.text.match(/^#EXTINF/gm)).toHaveLength(18 - skipped);
      expect(delta.headers['cache-control']).toBe(whole.headers['cache-control']);
      expect(delta.headers['etag']).not.toBe(whole.headers['etag']);
      const oldest = /^[^#\n].*$/m.exec(whole.text)![0];
      expect((await broadcast.get(`${broadcast.signed}/180p/${oldest}`)).body).toEqual(
        broadcast.media[0]!.segments[0]!.bytes,
      );
    });

    it('sends whole playlists of other broadcasts, whatever the player asks', async () => {
      const path = `${broadcast.signed}/180p/index.m3u8`;
      const { text } = await broadcast.get(path);
      for (const query of ['?_HLS_skip=YES', '?_HLS_skip=NO', '?_HLS_skip', '?_HLS_msn=5&_HLS_skip=v2'])
        expect((await broadcast.get(`${path}${query}`)).text).toBe(text);
    });

    it.each([
      ['bytes=0-9', 206, 0, 10],
      ['bytes=10-19', 206, 10, 20],
      ['bytes=100-', 206, 100, undefined],
      ['bytes=-7', 206, -7, undefined],
      ['bytes=0-1,5-6', 200, 0, undefined],
      ['lines=1-2', 200, 0, undefined],
    ])('answers Range: %s with %i', async (range, status, start, end) => {
      const { bytes } = broadcast.media[0]!.segments[0]!;
      const answer = await broadcast.get(await broadcast.firstSegment()).set('Range', range);
      expect(answer.status).toBe(status);
      expect(answer.body).toEqual(bytes.subarray(start, end));
      expect(answer.headers['accept-ranges']).toBe('bytes');
      const from = start < 0 ? bytes.length + start : start;
      const expected = status === 206 ? `bytes ${from}-${(end ?? bytes.length) - 1}/${bytes.length}` : undefined;
      expect(answer.headers['content-range']).toBe(expected);
    });

    it('answers 416 for a range past the end', async () => {
      const { status, headers, body } = await broadcast
        .get(await broadcast.firstSegment())
        .set('Range', 'bytes=99999999-');
      expect([status, body.success, body.reason]).toEqual([416, false, 'range_not_satisfiable']);
      expect(headers['content-range']).toBe(`bytes */${broadcast.media[0]!.segments[0]!.bytes.length}`);
    });

    it('sends the whole body for an outdated If-Range', async () => {
      const path = await broadcast.firstSegment();
      const { etag } = (await broadcast.get(path)).headers;
      const part = await broadcast.get(path).set('Range', 'bytes=0-9').set('If-Range', etag!);
      const whole = await broadcast.get(path).set('Range', 'bytes=0-9').set('If-Range', '"older"');
      expect([part.status, whole.status]).toEqual([206, 200]);
    });

    it('answers HEAD with the headers of GET and no body', async () => {
      for (const path of [
        await broadcast.firstSegment(),
        `${broadcast.signed}/180p/index.m3u8`,
        `${broadcast.entry}?token=${broadcast.token}`,
      ]) {
        const whole = await broadcast.get(path).set('Accept-Encoding', 'identity');
        const head = await request(broadcast.origin.url).head(path).set('Accept-Encoding', 'identity');
        expect([head.status, head.text]).toEqual([200, undefined]);
        for (const name of ['content-length', 'content-type', 'etag', 'cache-control', 'access-control-allow-origin']) {
          expect(head.headers[name]).toBe(whole.headers[name]);
        }
      }
    });

    it('answers 304 for a current ETag', async () => {
      for (const path of [await broadcast.firstSegment(), `${broadcast.signed}/180p/index.m3u8`]) {
        const { etag } = (await broadcast.get(path)).headers;
        expect((await broadcast.get(path).set('If-None-Match', etag!)).status).toBe(304);
        expect((await broadcast.get(path).set('If-None-Match', '"other"')).status).toBe(200);
      }
    });

    it('gives a playlist another ETag when it changes', async () => {
      const path = `${broadcast.signed}/180p/index.m3u8`;
      const before = await broadcast.get(path);
      broadcast.presentation.end();
      const after = await broadcast.get(path).set('If-None-Match', before.headers['etag']!);
      expect(after.status).toBe(200);
      expect(after.text).toMatch(/#EXT-X-ENDLIST\n$/);
    });

    it('allows caching of segments for ever and of playlists for half a segment', async () => {
      const immutable = 'public, max-age=31536000, immutable';
      expect((await broadcast.get(await broadcast.firstSegment())).headers['cache-control']).toBe(immutable);
      expect((await broadcast.get(`${broadcast.signed}/180p/index.m3u8`)).headers['cache-control']).toBe(
        'public, max-age=1',
      );
      expect((await broadcast.get(`${broadcast.entry}?token=${broadcast.token}`)).headers['cache-control']).toBe(
        'public, max-age=1',
      );
    });

    it('can be read by players on any page, failures too', async () => {
      for (const path of [
        await broadcast.firstSegment(),
        `${broadcast.signed}/180p/index.m3u8`,
        `${broadcast.signed}/180p/none.m4s`,
        '/hls/bcast_1/1/2/3/4/x',
      ]) {
        const { headers } = await broadcast.get(path).set('Origin', 'https://player.example');
        expect(headers['access-control-allow-origin']).toBe('*');
        expect(headers['access-control-expose-headers']).toContain('Content-Range');
      }
    });

    it('lets any page read a 429 response', async () => {
      const limits = { windowSeconds: 60, addressReads: 1, addressWrites: 0, trustedProxies: [] };
      const origin = await startOrigin(broadcast.verifier, { clock: new ManualClock(), limits });
      const ask = () => request(origin.url).get('/hls/none');
      expect((await ask()).status).toBe(404);
      const { status, headers } = await ask();
      expect(status).toBe(429);
      expect(headers).toMatchObject({ 'access-control-allow-origin': '*', 'timing-allow-origin': '*' });
      expect(headers['access-control-expose-headers']).toContain('Retry-After');
      await origin.close();
    });

    it('counts answers from memory towards the limit of an address', async () => {
      const limits = { windowSeconds: 60, addressReads: 3, addressWrites: 0, trustedProxies: [] };
      const origin = await startOrigin(broadcast.verifier, { clock: new ManualClock(), limits });
      await publishRun(await origin.present('bcast_1', options), broadcast.media, sizes);
      const statuses: number[] = [];
      for (let time = 0; time < 5; time += 1)
        statuses.push((await broadcast.get(`${broadcast.signed}/180p/index.m3u8`, origin)).status);
      expect(statuses).toEqual([200, 200, 200, 429, 429]);
      await origin.close();
    });

    it('answers a preflight without any credential', async () => {
      const preflight = request(broadcast.origin.url)
        .options('/hls/bcast_1/1/2/3/4/180p/x.m4s')
        .set('Origin', 'https://player.example');
      const { status, headers } = await preflight.set('Access-Control-Request-Headers', 'range');
      expect(status).toBe(204);
      expect(headers['access-control-allow-headers']).toContain('Range');
      expect(headers['access-control-allow-methods']).toContain('GET');
    });

    it('serves other clients while a slow reader stalls', async () => {
      const path = await broadcast.firstSegment();
      const socket = connect(Number(new URL(broadcast.origin.url).port), '127.0.0.1');
      socket.pause();
      await new Promise(resolve => socket.once('connect', resolve));
      for (let index = 0; index < 200; index += 1) socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
      const answers = await Promise.all(Array.from({ length: 50 }, () => broadcast.get(path)));
      expect(answers.every(({ status }) => status === 200)).toBe(true);
      socket.destroy();
    });
  });
});
