import { fitsTargetDuration, formatMediaPlaylist, type ListedSegment, type MediaPlaylist } from './playlist.js';

function makeSegment(given: Partial<ListedSegment> = {}): ListedSegment {
  return {
    uri: '0a-0.m4s',
    durationSeconds: 2,
    programDateTime: new Date('2026-11-21T10:15:30.000Z'),
    mapUri: 'init-0a.mp4',
    discontinuity: false,
    ...given,
  };
}

function makePlaylist(given: Partial<MediaPlaylist> = {}): MediaPlaylist {
  const segments = [makeSegment()];
  return { targetDurationSeconds: 2, mediaSequence: 0, discontinuitySequence: 0, segments, ended: false, ...given };
}

describe('a media playlist', () => {
  it('has all tags of a live fMP4 playlist, in order', () => {
    expect(formatMediaPlaylist(makePlaylist())).toBe(
      `#EXTM3U
#EXT-X-VERSION:7
#EXT-X-TARGETDURATION:2
#EXT-X-MEDIA-SEQUENCE:0
#EXT-X-DISCONTINUITY-SEQUENCE:0
#EXT-X-MAP:URI="init-0a.mp4"
#EXT-X-PROGRAM-DATE-TIME:2026-11-21T10:15:30.000Z
#EXTINF:2.000000,
0a-0.m4s
`,
    );
  });

  it('names an unchanged init segment once', () => {
    const text = formatMediaPlaylist(makePlaylist({ segments: [makeSegment(), makeSegment({ uri: '0a-1.m4s' })] }));
    expect(text.match(/EXT-X-MAP/g)).toHaveLength(1);
  });

  it('marks a discontinuity and names the new init segment after it', () => {
    const segments = [makeSegment(), makeSegment({ uri: '1b-0.m4s', mapUri: 'init-1b.mp4', discontinuity: true })];
    expect(formatMediaPlaylist(makePlaylist({ segments }))).toContain(
      '0a-0.m4s\n#EXT-X-DISCONTINUITY\n#EXT-X-MAP:URI="init-1b.mp4"\n#EXT-X-PROGRAM-DATE-TIME',
    );
  });

  it('counts removed segments and discontinuities', () => {
    const text = formatMediaPlaylist(makePlaylist({ mediaSequence: 17, discontinuitySequence: 2 }));
    expect(text).toContain('#EXT-X-MEDIA-SEQUENCE:17\n#EXT-X-DISCONTINUITY-SEQUENCE:2\n');
  });

  it('ends with ENDLIST', () => {
    expect(formatMediaPlaylist(makePlaylist({ ended: true }))).toMatch(/0a-0\.m4s\n#EXT-X-ENDLIST\n$/);
  });
});

describe('the target duration', () => {
  it.each([
    [2, 2, true],
    [2.499999, 2, true],
    [2.4999999, 2, false],
    [2.5, 2, false],
    [0.1, 2, true],
    [6.4, 6, true],
  ])('a segment of %f s under a target of %i s: %s', (duration, target, fits) => {
    expect(fitsTargetDuration(duration, target)).toBe(fits);
  });
});
