/** @jest-environment jsdom */
import { embedSnippet, lastingHls, readWatchTarget, watchLink, type WatchTarget } from './watch-link.js';

const hls = 'https://hls.example.com/hls/bcast_1/index.m3u8?token=a.b.c';
const whep = { url: 'https://sfu.example.com/whep/play_1', token: 'd.e+f', kinds: ['audio'] as const };

describe('a share link', () => {
  it.each<WatchTarget>([{ whep }, { hls }, { whep, hls }])('is read as it was written: %j', target => {
    const link = new URL(watchLink(target));
    expect(readWatchTarget(link.hash)).toEqual(target);
  });

  it('has everything in the fragment, which no server gets', () => {
    const link = new URL(watchLink({ whep, hls }));
    expect(`${link.pathname}${link.search}`).toBe('/dashboard/watch');
  });

  it.each(['', '#', '#token=a', '#whep=javascript:alert(1)', '#hls=data:text/html,x', '#whep=not-an-address'])(
    'without the address of a player is refused: %s',
    fragment => {
      expect(readWatchTarget(fragment)).toBeUndefined();
    },
  );

  describe('to HLS that is exchanged while its token is valid', () => {
    const signed = '1000/2000/key-1/signature';
    const playlist = `#EXTM3U\n#EXT-X-MEDIA:URI="${signed}/audio/index.m3u8"\n#EXT-X-STREAM-INF:A=1\n${signed}/v1/index.m3u8\n`;
    const { fetch } = globalThis;
    const answer = (body: string, status = 200) => {
      const response = { ok: status === 200, text: () => Promise.resolve(body) };
      globalThis.fetch = () => Promise.resolve(response as Response);
    };
    afterEach(() => void (globalThis.fetch = fetch));

    it('has the address of the signed playlist', async () => {
      answer(playlist);
      expect(await lastingHls(hls)).toBe(`https://hls.example.com/hls/bcast_1/${signed}/index.m3u8`);
    });

    it.each<[string, () => void]>([
      ['a playlist', () => answer('#EXTM3U\n')],
      ['a valid token', () => answer(playlist, 401)],
      ['an answer', () => void (globalThis.fetch = () => Promise.reject(new TypeError('no network')))],
    ])('has none without %s', async (_what, prepare) => {
      prepare();
      expect(await lastingHls(hls)).toBeUndefined();
    });
  });

  it('can be embedded as it is', () => {
    const frame = new DOMParser().parseFromString(embedSnippet({ whep, hls }), 'text/html').querySelector('iframe');
    expect(frame?.src).toBe(watchLink({ whep, hls }));
  });
});
