/** @jest-environment jsdom */
import { embedSnippet, readWatchTarget, watchLink, type WatchTarget } from './watch-link.js';

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

  it('can be embedded as it is', () => {
    const frame = new DOMParser().parseFromString(embedSnippet({ whep, hls }), 'text/html').querySelector('iframe');
    expect(frame?.src).toBe(watchLink({ whep, hls }));
  });
});
