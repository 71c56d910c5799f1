import { systemClock } from '@rtms/clock';
import fc from 'fast-check';
import { Parser } from 'm3u8-parser';
import { MemorySegmentStore } from '../testing/memory-segment-store.js';
import { Presentation } from './presentation.js';
import type { RunRendition } from './run-segments.js';
import { recordedVideo } from './testing/recorded-media.js';

const renditions: RunRendition[] = [
  { kind: 'video', name: 'a', width: 160, height: 90, frameRate: 30, bitrate: 1 },
  { kind: 'video', name: 'b', width: 80, height: 46, frameRate: 30, bitrate: 1 },
];

/** The rendition that is added when the source grows. */
const later: RunRendition = { kind: 'video', name: 'c', width: 40, height: 24, frameRate: 30, bitrate: 1 };

type Step =
  | { type: 'run' }
  | { type: 'grow' }
  | { type: 'giveUp' }
  | { type: 'segment'; rendition: 'a' | 'b' | 'c'; duration: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 1, arbitrary: fc.constant({ type: 'run' as const }) },
  { weight: 1, arbitrary: fc.constant({ type: 'grow' as const }) },
  { weight: 1, arbitrary: fc.constant({ type: 'giveUp' as const }) },
  {
    weight: 14,
    arbitrary: fc.record({
      type: fc.constant('segment' as const),
      rendition: fc.constantFrom('a' as const, 'b' as const, 'c' as const),
      duration: fc.double({ min: 0.5, max: 2.6, noNaN: true }),
    }),
  },
);

/** About half of the presentations let viewers seek back. */
const windows = fc.record({ window: fc.integer({ min: 1, max: 5 }), dvrSeconds: fc.integer({ min: 0, max: 40 }) });

/** Every segment that any playlist has listed, by address: its media and discontinuity sequence numbers. */
type Numbers = Map<string, { media: number; timeline: number }>;

function readPlaylist(presentation: Presentation, name: string, isDelta = false): Parser['manifest'] {
  const parser = new Parser();
  parser.push(presentation.mediaPlaylist(name, isDelta) ?? '#EXTM3U\n');
  parser.end();
  return parser.manifest;
}

/** The media and discontinuity sequence numbers of the listed segments, latest first. */
function shapeOf(manifest: Parser['manifest']): string[] {
  let timeline = manifest.discontinuitySequence ?? 0;
  return manifest.segments
    .map((segment, index) => {
      if (segment.discontinuity) timeline += 1;
      return `${(manifest.mediaSequence ?? 0) + index} ${timeline}`;
    })
    .reverse();
}

/** RFC 8216 section 6.2.1 and 6.2.2: the numbers of a segment never change, and the target is never exceeded. */
function checkPlaylist(manifest: Parser['manifest'], seen: Numbers): void {
  let timeline = manifest.discontinuitySequence ?? 0;
  manifest.segments.forEach((segment, index) => {
    if (segment.discontinuity) timeline += 1;
    const numbers = { media: (manifest.mediaSequence ?? 0) + index, timeline };
    expect(seen.get(segment.uri) ?? numbers).toEqual(numbers);
    seen.set(segment.uri, numbers);
    expect(Math.round(segment.duration)).toBeLessThanOrEqual(2);
  });
}

/** A player with an earlier playlist can make the whole playlist of a delta update. */
function checkDelta(whole: Parser['manifest'], delta: Parser['manifest']): void {
  const uris = ({ segments }: Parser['manifest']) => segments.map(({ uri, discontinuity }) => [uri, discontinuity]);
  expect(uris(delta)).toEqual(uris(whole).slice(delta.skip?.skippedSegments ?? 0));
  expect(delta.mediaSequence).toBe(whole.mediaSequence);
  expect(delta.discontinuitySequence).toBe(whole.discontinuitySequence);
}

class CountingStore extends MemorySegmentStore {
  readonly files = new Set<string>();

  override put(broadcastID: string, name: string, content: Buffer): Promise<void> {
    this.files.add(name);
    return super.put(broadcastID, name, content);
  }

  override delete(broadcastID: string, name: string): Promise<void> {
    this.files.delete(name);
    return super.delete(broadcastID, name);
  }
}

function isRefused(error: Error): void {
  expect(error.message).toMatch(/ahead|not part of the current run/);
}

describe('a presentation, whatever is added in whatever order', () => {
  async function begin(presentation: Presentation, run: number, hasGrown: boolean): Promise<void> {
    const all = hasGrown ? [...renditions, later] : renditions;
    presentation.beginRun({ renditions: all, startsAt: new Date(1_800_000_000_000 + run) });
    for (const { name } of all) await presentation.addInit(name, recordedVideo.init);
  }

  /** Counts over all runs, to prove that the property reached its cases. */
  const reached = {
    listed: 0,
    discontinuities: 0,
    removedDiscontinuities: 0,
    longestRun: 0,
    grown: 0,
    givenUp: 0,
  };

  function noteReach(manifest: Parser['manifest'], grown: Parser['manifest']): void {
    reached.listed = Math.max(reached.listed, (manifest.mediaSequence ?? 0) + manifest.segments.length);
    reached.discontinuities += manifest.segments.filter(({ discontinuity }) => discontinuity).length;
    reached.removedDiscontinuities = Math.max(reached.removedDiscontinuities, manifest.discontinuitySequence ?? 0);
    if (grown.segments.length > 0) reached.grown += 1;
  }

  it('never changes a sequence number, lists what can be fetched, and keeps its memory bounded', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 120 }), windows, async (steps, { window, dvrSeconds }) => {
        const store = new CountingStore();
        const options = { segmentSeconds: 2, windowSegments: window, dvrSeconds };
        const most = Math.max(window, Math.ceil(dvrSeconds / 2));
        const presentation = new Presentation('b', options, store, systemClock);
        const seen = { a: new Map(), b: new Map(), c: new Map() } satisfies Record<string, Numbers>;
        let runs = 0;
        let hasGrown = false;
        let version = -1;
        reached.longestRun = Math.max(reached.longestRun, steps.length);
        await begin(presentation, runs, hasGrown);
        for (const next of steps) {
          hasGrown ||= next.type === 'grow';
          if (next.type === 'giveUp') {
            const before = presentation.dvrBytes;
            const bytes = await presentation.giveUpOldest();
            expect(presentation.dvrBytes).toBe(before - bytes);
            if (bytes > 0) reached.givenUp += 1;
          } else if (next.type !== 'segment') await begin(presentation, (runs += 1), hasGrown);
          else {
            const segment = { bytes: Buffer.alloc(10), durationSeconds: next.duration, programDateTime: new Date(0) };
            await presentation.addSegment(next.rendition, segment).catch(isRefused);
          }
          // Of three renditions: listed and retained segments, each with an init segment. Segments that wait for others. The
          // init segment of the run.
          expect(store.files.size).toBeLessThanOrEqual((2 * (most + window) + window + 1) * 3);
          if (presentation.version === version) continue;
          version = presentation.version;
          const [first, second, third] = (['a', 'b', 'c'] as const).map(name => {
            const manifest = readPlaylist(presentation, name);
            checkPlaylist(manifest, seen[name]);
            return manifest;
          }) as [Parser['manifest'], Parser['manifest'], Parser['manifest']];
          noteReach(first, third);
          expect(shapeOf(second)).toEqual(shapeOf(first));
          expect(shapeOf(first).slice(0, shapeOf(third).length)).toEqual(shapeOf(third));
          for (const { uri, map } of first.segments) {
            expect(await store.get('b', `a/${uri}`)).toBeDefined();
            expect(await store.get('b', `a/${map!.uri}`)).toBeDefined();
          }
          expect(first.segments.length).toBeLessThanOrEqual(most);
          checkDelta(first, readPlaylist(presentation, 'a', true));
          if (most === window) expect(presentation.dvrBytes).toBe(0);
        }
      }),
      { numRuns: 40 },
    );
    expect(reached.longestRun).toBeGreaterThan(80);
    expect(reached.listed).toBeGreaterThan(10);
    expect(reached.discontinuities).toBeGreaterThan(20);
    expect(reached.removedDiscontinuities).toBeGreaterThan(1);
    expect(reached.grown).toBeGreaterThan(20);
    expect(reached.givenUp).toBeGreaterThan(5);
  });
});
