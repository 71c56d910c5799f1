import fc from 'fast-check';
import {
  fitsTargetDuration,
  formatMediaPlaylist,
  type ListedSegment,
  type LowLatency,
  type MediaPlaylist,
} from './playlist.js';

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

  const hour = Array.from({ length: 1800 }, (_, index) => makeSegment({ uri: `0a-${index}.m4s` }));
  const dvr = makePlaylist({ segments: hour, canSkipUntilSeconds: 12 });

  it('names the segments that a player may skip, and skips only those in a delta update', () => {
    expect(formatMediaPlaylist(dvr)).toContain(
      '#EXT-X-TARGETDURATION:2\n#EXT-X-SERVER-CONTROL:CAN-SKIP-UNTIL=12.0\n#EXT-X-MEDIA-SEQUENCE:0\n',
    );
    expect(formatMediaPlaylist(dvr)).not.toContain('EXT-X-SKIP');
    const delta = formatMediaPlaylist(dvr, true);
    expect(delta).toContain('#EXT-X-VERSION:9\n');
    expect(delta).toContain(
      '#EXT-X-DISCONTINUITY-SEQUENCE:0\n#EXT-X-SKIP:SKIPPED-SEGMENTS=1787\n#EXT-X-MAP:URI="init-0a.mp4"\n',
    );
    expect(delta.match(/^0a-.*$/gm)).toEqual(hour.slice(1787).map(({ uri }) => uri));
  });

  it('dates the first segment and those after a discontinuity of a window of hours', () => {
    const segments = hour.map((each, index) => ({ ...each, discontinuity: index === 1795 }));
    for (const isDelta of [false, true])
      expect(formatMediaPlaylist({ ...dvr, segments }, isDelta).match(/EXT-X-PROGRAM-DATE-TIME/g)).toHaveLength(2);
  });

  it('skips in a delta update as much as possible of any playlist', () => {
    const anySegment = fc.record({
      durationSeconds: fc.double({ min: 0.1, max: 2.4, noNaN: true }),
      discontinuity: fc.boolean(),
    });
    fc.assert(
      fc.property(
        fc.array(anySegment, { maxLength: 60 }),
        fc.integer({ min: 6, max: 24 }),
        (given, canSkipUntilSeconds) => {
          const segments = given.map((each, index) => makeSegment({ ...each, uri: `${index}.m4s` }));
          const text = formatMediaPlaylist(makePlaylist({ segments, canSkipUntilSeconds }), true);
          const skipped = Number(/SKIPPED-SEGMENTS=(\d+)/.exec(text)?.[1] ?? 0);
          const secondsFrom = (first: number) =>
            segments.slice(first).reduceRight((sum, { durationSeconds }) => sum + durationSeconds, 0);
          expect(text.match(/^\d+\.m4s$/gm) ?? []).toEqual(segments.slice(skipped).map(({ uri }) => uri));
          expect(skipped === 0 || secondsFrom(skipped) > 2 * canSkipUntilSeconds).toBe(true);
          expect(secondsFrom(skipped + 1)).toBeLessThanOrEqual(2 * canSkipUntilSeconds);
        },
      ),
    );
  });

  it('answers whole to a player that asks for a delta update when nothing can be skipped', () => {
    const short = makePlaylist({ segments: hour.slice(0, 12), canSkipUntilSeconds: 12 });
    expect(formatMediaPlaylist(short, true)).toBe(formatMediaPlaylist(short));
    const without = makePlaylist({ segments: hour });
    expect(formatMediaPlaylist(without, true)).toBe(formatMediaPlaylist(without));
  });

  it('ends with ENDLIST', () => {
    expect(formatMediaPlaylist(makePlaylist({ ended: true }))).toMatch(/0a-0\.m4s\n#EXT-X-ENDLIST\n$/);
  });
});

describe('the live end of a low-latency playlist', () => {
  const parts = [
    { uri: '0a-1.0.m4s', durationSeconds: 0.4, isIndependent: true },
    { uri: '0a-1.1.m4s', durationSeconds: 0.4, isIndependent: false },
  ];
  const open = { segment: makeSegment({ uri: '0a-1' }), parts, hint: '0a-1.2.m4s' };
  const format = (given: Partial<LowLatency>, playlist: Partial<MediaPlaylist> = {}) => {
    const low = { partTargetSeconds: 0.46, isDvr: false, partsOf: () => [], open, reports: [], ...given };
    return formatMediaPlaylist(makePlaylist({ canSkipUntilSeconds: 12, low, ...playlist }));
  };
  const date = '#EXT-X-PROGRAM-DATE-TIME:2026-11-21T10:15:30.000Z';
  const listedParts = `#EXT-X-PART:DURATION=0.400000,URI="0a-1.0.m4s",INDEPENDENT=YES
#EXT-X-PART:DURATION=0.400000,URI="0a-1.1.m4s"`;

  it('has the date and the parts of the open segment, and a hint at the next part', () => {
    const end = `0a-0.m4s\n${date}\n${listedParts}\n#EXT-X-PRELOAD-HINT:TYPE=PART,URI="0a-1.2.m4s"\n`;
    expect(format({}).endsWith(end)).toBe(true);
  });

  it('marks the discontinuity of the open segment, and names its init segment', () => {
    const segment = makeSegment({ uri: '1b-0', mapUri: 'init-1b.mp4', discontinuity: true });
    const begun = `0a-0.m4s\n#EXT-X-DISCONTINUITY\n#EXT-X-MAP:URI="init-1b.mp4"\n${date}\n#EXT-X-PART:`;
    expect(format({ open: { ...open, segment } })).toContain(begun);
    const hint = '0a-0.m4s\n#EXT-X-PRELOAD-HINT:TYPE=PART,URI="1b-0.0.m4s"\n';
    expect(format({ open: { segment, parts: [], hint: '1b-0.0.m4s' } }).endsWith(hint)).toBe(true);
  });

  it('compares the init segment of the open segment with that of the last one', () => {
    const segments = [makeSegment(), makeSegment({ uri: '1b-0.m4s', mapUri: 'init-1b.mp4', discontinuity: true })];
    const segment = makeSegment({ uri: '1b-1', mapUri: 'init-1b.mp4' });
    expect(format({ open: { ...open, segment } }, { segments })).toContain(`1b-0.m4s\n${date}\n#EXT-X-PART:`);
    expect(format({ open }, { segments: [] })).toContain(`#EXT-X-MAP:URI="init-0a.mp4"\n${date}\n#EXT-X-PART:`);
  });

  it('reports the last part of other renditions, if they have one', () => {
    const report = (part: number) => format({ reports: [{ uri: '../b/index.m3u8', msn: 7, part }] });
    expect(report(0)).toContain('#EXT-X-RENDITION-REPORT:URI="../b/index.m3u8",LAST-MSN=7,LAST-PART=0\n');
    expect(report(-1)).toContain('#EXT-X-RENDITION-REPORT:URI="../b/index.m3u8",LAST-MSN=7\n');
  });

  it('dates each segment, unless viewers can seek back for hours', () => {
    const segments = [makeSegment(), makeSegment({ uri: '0a-1.m4s' })];
    const dates = (isDvr: boolean) => format({ isDvr, open: undefined }, { segments }).match(/DATE-TIME/g);
    expect(dates(false)).toHaveLength(2);
    expect(dates(true)).toHaveLength(1);
  });

  it('has no parts of segments and no hint after the end', () => {
    const partsOf = () => parts;
    expect(format({ partsOf })).toContain('INDEPENDENT=YES');
    expect(format({ partsOf }, { ended: true })).not.toMatch(/PART:|HINT/);
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
