import fc from 'fast-check';
import { Parser } from 'm3u8-parser';
import { MemorySegmentStore } from '../../delivery/memory-segment-store.js';
import { encodeFmp4 } from '../../../../../test/media/fmp4.js';
import { Presentation, type RunRendition } from './presentation.js';

const renditions: RunRendition[] = [
  { kind: 'video', name: 'a', width: 160, height: 90, frameRate: 30, bitrate: 1 },
  { kind: 'video', name: 'b', width: 80, height: 46, frameRate: 30, bitrate: 1 },
];

type Step = { type: 'run' } | { type: 'segment'; rendition: 'a' | 'b'; duration: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 1, arbitrary: fc.constant({ type: 'run' as const }) },
  {
    weight: 12,
    arbitrary: fc.record({
      type: fc.constant('segment' as const),
      rendition: fc.constantFrom('a' as const, 'b' as const),
      duration: fc.double({ min: 0.5, max: 2.6, noNaN: true }),
    }),
  },
);

/** Every segment that any playlist has listed, by address: its media and discontinuity sequence numbers. */
type Numbers = Map<string, { media: number; timeline: number }>;

function readPlaylist(presentation: Presentation, name: string): Parser['manifest'] {
  const parser = new Parser();
  parser.push(presentation.mediaPlaylist(name) ?? '#EXTM3U\n');
  parser.end();
  return parser.manifest;
}

/** RFC 8216 section 6.2.1 and 6.2.2: the numbers of a segment never change, and the target is never exceeded. */
function checkPlaylist(manifest: Parser['manifest'], seen: Numbers): void {
  const first = manifest.discontinuitySequence ?? 0;
  let timeline = first;
  manifest.segments.forEach((segment, index) => {
    if (segment.discontinuity) timeline += 1;
    const numbers = { media: (manifest.mediaSequence ?? 0) + index, timeline };
    expect(seen.get(segment.uri) ?? numbers).toEqual(numbers);
    seen.set(segment.uri, numbers);
    expect(Math.round(segment.duration)).toBeLessThanOrEqual(2);
  });
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

function refusedAsAhead(error: Error): void {
  expect(error.message).toMatch(/ahead/);
}

describe('a presentation, whatever is added in whatever order', () => {
  let init: Buffer;
  beforeAll(async () => {
    const videos = [{ name: 'a', width: 160, height: 90 }];
    init = (await encodeFmp4({ seconds: 1, segmentSeconds: 1, videos, audio: false }))[0]!.init;
  });

  async function begin(presentation: Presentation, run: number): Promise<void> {
    presentation.beginRun({ renditions, startsAt: new Date(1_800_000_000_000 + run) });
    for (const { name } of renditions) await presentation.addInit(name, init);
  }

  it('never changes a number that it gave, lists what can be fetched, and keeps its memory bounded', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 120 }), fc.integer({ min: 1, max: 5 }), async (steps, window) => {
        const store = new CountingStore();
        const presentation = new Presentation('b', { segmentSeconds: 2, windowSegments: window }, store);
        const seen = { a: new Map(), b: new Map() } satisfies Record<string, Numbers>;
        let runs = 0;
        await begin(presentation, runs);
        for (const next of steps) {
          if (next.type === 'run') await begin(presentation, (runs += 1));
          else {
            const segment = { bytes: Buffer.alloc(10), durationSeconds: next.duration, programDateTime: new Date(0) };
            await presentation.addSegment(next.rendition, segment).catch(refusedAsAhead);
          }
          const manifests = { a: readPlaylist(presentation, 'a'), b: readPlaylist(presentation, 'b') };
          checkPlaylist(manifests.a, seen.a);
          checkPlaylist(manifests.b, seen.b);
          const shape = (m: Parser['manifest']): unknown => [
            m.mediaSequence,
            m.discontinuitySequence,
            m.segments.map(s => s.discontinuity),
          ];
          expect(shape(manifests.a)).toEqual(shape(manifests.b));
          for (const { uri, map } of manifests.a.segments) {
            expect(await store.get('b', `a/${uri}`)).toBeDefined();
            expect(await store.get('b', `a/${map!.uri}`)).toBeDefined();
          }
          expect(manifests.a.segments.length).toBeLessThanOrEqual(window);
          // Listed, retained and waiting segments of two renditions, and an init segment for each of these at most.
          expect(store.files.size).toBeLessThanOrEqual(3 * window * 2 + (2 * window + 1) * 2);
        }
      }),
      { numRuns: 60 },
    );
  });
});
