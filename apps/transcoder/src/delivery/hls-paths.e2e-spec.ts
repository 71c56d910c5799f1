import { connect } from 'node:net';
import { makeHlsClaims, makePlaybackClaims, makeTokenPair } from '@rtms/testing';
import { formatSignedPath } from '@rtms/tokens';
import request from 'supertest';
import { options, TestBroadcast } from './testing/test-broadcast.js';

describe('HLS delivery', () => {
  let broadcast: TestBroadcast;
  beforeEach(async () => {
    broadcast = await TestBroadcast.open();
  });
  afterEach(() => broadcast.close());

  /** Sends bytes as they are, which no HTTP client does with such paths. */
  function rawGet(path: string): Promise<string> {
    return new Promise((resolve, reject) => {
      const socket = connect(Number(new URL(broadcast.origin.url).port), '127.0.0.1');
      let answer = '';
      socket.on('data', chunk => (answer += chunk.toString()));
      socket.on('error', reject);
      socket.on('close', () => resolve(answer));
      socket.end(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    });
  }

  describe('the entry of a broadcast', () => {
    it('answers the multivariant playlist with addresses below the signed path of the token', async () => {
      const { status, text, headers } = await broadcast.get(`${broadcast.entry}?token=${broadcast.token}`);
      expect(status).toBe(200);
      expect(headers['content-type']).toBe('application/vnd.apple.mpegurl');
      const uris = [...text.matchAll(/^[^#\n].*$/gm)].map(([uri]) => `/hls/bcast_1/${uri}`);
      expect(uris).toEqual([`${broadcast.signed}/180p/index.m3u8`, `${broadcast.signed}/90p/index.m3u8`]);
      for (const uri of uris) expect((await broadcast.get(uri)).status).toBe(200);
      expect(text).toContain('RESOLUTION=320x180,FRAME-RATE=30.000,AUDIO="audio"');
    });

    it('never repeats the token', async () => {
      expect((await broadcast.get(`${broadcast.entry}?token=${broadcast.token}`)).text).not.toContain(broadcast.token);
    });

    it.each([
      ['none', () => Promise.resolve(''), 'invalid_credentials'],
      ['nonsense', () => Promise.resolve('x.y.z'), 'invalid_credentials'],
      [
        'an expired one',
        async () => broadcast.signer.sign(await makeHlsClaims(broadcast.signer, { expiresAt: 1_700_000_000 })),
        'token_expired',
      ],
      [
        'one for another broadcast',
        async () => broadcast.signer.sign(await makeHlsClaims(broadcast.signer, { resourceID: 'bcast_2' })),
        'invalid_credentials',
      ],
      [
        'one for a playback',
        () => broadcast.signer.sign(makePlaybackClaims({ resourceID: 'bcast_1' })),
        'invalid_credentials',
      ],
      [
        'one that somebody else signed',
        async () => {
          const other = (await makeTokenPair()).signer;
          return other.sign(await makeHlsClaims(other));
        },
        'invalid_credentials',
      ],
    ])('refuses %s as token', async (_what, make, reason) => {
      const { status, body } = await broadcast.get(`${broadcast.entry}?token=${await make()}`);
      expect([status, body]).toEqual([
        401,
        { success: false, error: expect.any(String), code: 'UNAUTHORIZED', reason },
      ]);
    });

    it('sends Retry-After before the first segment', async () => {
      await broadcast.origin.present('bcast_new', options);
      const early = await broadcast.signer.sign(await makeHlsClaims(broadcast.signer, { resourceID: 'bcast_new' }));
      const { status, body, headers } = await broadcast.get(`/hls/bcast_new/index.m3u8?token=${early}`);
      expect([status, body.reason, headers['retry-after']]).toEqual([404, 'not_found', '2']);
      expect(headers['cache-control']).toBe('private, no-store');
    });
  });

  describe('a signed path', () => {
    it('opens playlists, init segments and segments without token, cookie or header', async () => {
      const playlist = await broadcast.get(`${broadcast.signed}/180p/index.m3u8`);
      expect(playlist.status).toBe(200);
      const init = await broadcast.get(`${broadcast.signed}/180p/${/MAP:URI="(.*)"/.exec(playlist.text)![1]}`);
      expect([init.status, init.headers['content-type'], init.body]).toEqual([
        200,
        'video/mp4',
        broadcast.media[0]!.init,
      ]);
      const segment = await broadcast.get(await broadcast.firstSegment());
      expect([segment.status, segment.headers['content-type']]).toEqual([200, 'video/iso.segment']);
      expect(segment.body).toEqual(broadcast.media[0]!.segments[0]!.bytes);
      const audio = await broadcast.get(`${broadcast.signed}/audio/index.m3u8`);
      const audioInit = await broadcast.get(`${broadcast.signed}/audio/${/MAP:URI="(.*)"/.exec(audio.text)![1]}`);
      expect(audioInit.headers['content-type']).toBe('audio/mp4');
    });

    it('has the multivariant playlist too, with addresses relative to it', async () => {
      expect((await broadcast.get(`${broadcast.signed}/index.m3u8`)).text).toMatch(/^180p\/index\.m3u8$/m);
    });

    async function paths(): Promise<Record<string, string>> {
      const now = Math.floor(Date.now() / 1000);
      const sign = async (broadcastID: string, expiresAt: number, by = broadcast.signer): Promise<string> =>
        formatSignedPath(await by.signPath({ broadcastID, window: now, expiresAt }));
      const other = (await makeTokenPair()).signer;
      const good = await sign('bcast_1', now + 60);
      return {
        forged: `${good.slice(0, -4)}AAAA`,
        expired: await sign('bcast_1', now - 1),
        'of another broadcast': await sign('bcast_2', now + 60),
        'signed by somebody else': await sign('bcast_1', now + 60, other),
        prolonged: good.replace(String(now + 60), String(now + 6000)),
        'no signature at all': '1/2/3/4',
        nonsense: 'a/b/c/d',
      };
    }

    it('is refused when it is wrong, expired or foreign', async () => {
      for (const [what, path] of Object.entries(await paths())) {
        for (const file of ['180p/index.m3u8', 'index.m3u8', '180p/0-0.m4s']) {
          const { status, body } = await broadcast.get(`/hls/bcast_1/${path}/${file}`);
          expect([what, status, body.code, body.reason]).toEqual([what, 403, 'FORBIDDEN', 'path_not_signed']);
        }
      }
    });

    it('answers 404 for invalid names', async () => {
      for (const file of ['4k/index.m3u8', '180p/no.m4s', '180p', 'x.m3u8', '180p/index.m3u8/x']) {
        const { status, body } = await broadcast.get(`${broadcast.signed}/${file}`);
        expect([file, status, body.reason]).toEqual([file, 404, 'not_found']);
      }
    });

    it('cannot be left by any spelling of a path', async () => {
      const climbs = [
        '/../index.m3u8',
        '/180p/../../x',
        '/180p%2findex.m3u8',
        '/%2e%2e/x',
        '//index.m3u8',
        '/..\\x',
        '/%zz',
      ];
      for (const climb of [...climbs, `/${'a'.repeat(6000)}`]) {
        const answer = await rawGet(`${broadcast.signed}${climb}`);
        expect([climb.slice(0, 20), answer.split(' ')[1]]).toEqual([climb.slice(0, 20), '404']);
        expect(answer).toContain('"reason":"not_found"');
      }
    });

    it('answers other methods with 405', async () => {
      const { status, headers, body } = await request(broadcast.origin.url).post(`${broadcast.signed}/index.m3u8`);
      expect([status, headers['allow'], body.reason]).toEqual([405, 'GET, HEAD, OPTIONS', 'method_not_allowed']);
    });

    it('never redirects', async () => {
      for (const path of [
        `${broadcast.signed}/180p/`,
        `${broadcast.signed}/180p`,
        '/hls',
        '/hls/',
        '/hls/bcast_1',
        '/hls/bcast_1/',
      ]) {
        expect((await broadcast.get(path)).status).toBe(404);
      }
    });
  });
});
