import type { SegmentSet } from './run-segments.js';
import { SegmentWindow } from './segment-window.js';

let count = 0;

/** The segments of renditions for the same time. */
function setOf(names: string[], durationSeconds = 1): SegmentSet {
  const file = `${count++}.m4s`;
  const segment = { file, mapFile: 'init.mp4', byteLength: 1, durationSeconds, programDateTime: new Date(0) };
  return new Map(names.map(name => [name, segment]));
}

describe('a window of segments', () => {
  /** Sequence numbers of a rendition, and whether each of its segments has a discontinuity. */
  const listing = (window: SegmentWindow, name: string) => {
    const { mediaSequence, discontinuitySequence, segments } = window.listingOf(name)!;
    return [mediaSequence, discontinuitySequence, segments.map(({ discontinuity }) => discontinuity)];
  };

  it('counts the discontinuities that have slid out (RFC 8216 section 6.2.2)', () => {
    const window = new SegmentWindow(2, 1);
    window.breakTimeline();
    window.push(setOf(['v']));
    window.breakTimeline();
    for (let index = 0; index < 2; index += 1) window.push(setOf(['v']));
    expect(listing(window, 'v')).toEqual([1, 0, [true, false]]);
    window.push(setOf(['v']));
    expect(listing(window, 'v')).toEqual([2, 1, [false, false]]);
    window.push(setOf(['v']));
    expect(listing(window, 'v')).toEqual([3, 1, [false, false]]);
  });

  it('counts those before a rendition that was added later', () => {
    const window = new SegmentWindow(5, 1);
    window.push(setOf(['v']));
    window.breakTimeline();
    window.push(setOf(['v']));
    window.breakTimeline();
    window.push(setOf(['v', 'w']));
    expect(listing(window, 'v')).toEqual([0, 0, [false, true, true]]);
    expect(listing(window, 'w')).toEqual([2, 1, [true]]);
  });

  it('lists seconds of the longest rendition of each set, and breaks before the next set', () => {
    const window = new SegmentWindow(5, 1);
    window.push(new Map([...setOf(['v'], 1), ...setOf(['w'], 0.9)]));
    window.push(setOf(['v'], 0.5));
    expect(window.listedSeconds).toBe(1.5);
    expect(window.isBroken).toBe(false);
    window.breakTimeline();
    expect(window.isBroken).toBe(true);
    window.push(setOf(['v']));
    expect(window.isBroken).toBe(false);
  });

  it('names the files of its last target durations, the newest first', () => {
    const window = new SegmentWindow(9, 2);
    const sets = [setOf(['v']), setOf(['v']), new Map([...setOf(['v'], 1), ...setOf(['w'], 0.9)]), setOf(['v'], 0.2)];
    for (const set of sets) window.push(set);
    const files = sets.map(set => [...set.values()].map(({ file }) => file));
    expect(window.recentFiles(0.5)).toEqual([...files[3]!, ...files[2]!]);
    expect(window.recentFiles(0.55)).toEqual([...files[3]!, ...files[2]!, ...files[1]!]);
    expect(window.recentFiles(9)).toHaveLength(5);
  });

  it('gives up no set of the last window', () => {
    const window = new SegmentWindow(2, 1, 0, 5);
    for (let index = 0; index < 3; index += 1) window.push(setOf(['v']));
    for (const first of [1, 1]) {
      expect(window.giveUpOldest()).toEqual([]);
      expect(listing(window, 'v')[0]).toBe(first);
    }
  });

  it('lists only the segments that a rendition has', () => {
    const window = new SegmentWindow(5, 1);
    for (const names of [['v', 'w'], ['v'], ['v', 'w']]) window.push(setOf(names));
    expect(window.listingOf('w')?.segments).toHaveLength(2);
    expect(window.listingOf('x')).toBeUndefined();
  });

  it('knows the last segment of each listing, whatever is pushed or removed', () => {
    const window = new SegmentWindow(1, 1, 7, 3);
    const expectLast = (name: string) => {
      const listing = window.listingOf(name);
      const last = listing && {
        msn: listing.mediaSequence + listing.segments.length - 1,
        uri: listing.segments.at(-1)?.uri,
      };
      expect(window.lastOf(name)).toEqual(last);
      expect(window.lastOf(name)).toEqual(last);
    };
    for (const names of [['v'], ['v', 'w'], ['v'], ['v', 'w'], ['v'], ['v'], ['v']]) {
      window.push(setOf(names));
      for (const name of ['v', 'w', 'x']) expectLast(name);
    }
    window.giveUpOldest();
    for (const name of ['v', 'w']) expectLast(name);
  });

  it('returns a set that does not fit, and those that nobody can fetch any more', () => {
    const window = new SegmentWindow(1, 1);
    const long = setOf(['v'], 1.5);
    const first = setOf(['v']);
    expect(window.push(long)).toEqual([long]);
    expect([...window.push(first), ...window.push(setOf(['v']))]).toEqual([]);
    expect(window.push(setOf(['v']))).toEqual([first]);
  });
});
