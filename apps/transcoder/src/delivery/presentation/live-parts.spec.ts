import { systemClock } from '@rtms/clock';
import fc from 'fast-check';
import { MemorySegmentStore } from '../testing/memory-segment-store.js';
import { isReached, parseAwaited, partSecondsOf, partTargetOf, type Awaited } from './playlists/parts.js';
import { Presentation } from './presentation.js';
import type { RunRendition } from './run-segments.js';
import { recordedVideo } from './testing/recorded-media.js';

const names = ['a', 'b'] as const;
type Name = (typeof names)[number];
const renditions = names.map((name): RunRendition => ({
  kind: 'video',
  name,
  width: 160,
  height: 90,
  frameRate: 30,
  bitrate: 1,
}));

/** Of a segment with a target duration of 2 s. */
const mostParts = 6;

/** A low-latency presentation whose encoder makes parts of one byte each, all different. */
class TestBroadcast {
  readonly presentation = new Presentation(
    'b',
    { segmentSeconds: 2, windowSegments: 6, isLow: true },
    new MemorySegmentStore(),
    systemClock,
  );
  private runs = 0;
  private bytes = 0;
  private open: Record<Name, number[]> = { a: [], b: [] };

  async begin(): Promise<void> {
    this.runs += 1;
    this.open = { a: [], b: [] };
    this.presentation.beginRun({ renditions, startsAt: new Date(1_800_000_000_000 + this.runs) });
    for (const name of names) await this.presentation.addInit(name, recordedVideo.init);
  }

  /** Adds a part, unless the segment would exceed the target duration. */
  part(name: Name): void {
    if (this.open[name].length === mostParts) return;
    const byte = (this.bytes += 1);
    const part = {
      bytes: Buffer.from([byte >> 8, byte]),
      durationSeconds: 0.4,
      isIndependent: !this.open[name].length,
    };
    this.open[name].push(byte);
    this.presentation.addPart(name, { ...part, programDateTime: new Date(0) });
  }

  /** Ends the open segment, unless it has no part. */
  async segment(name: Name): Promise<void> {
    const parts = this.open[name];
    if (parts.length === 0) return;
    this.open[name] = [];
    const bytes = Buffer.from(parts.flatMap(byte => [byte >> 8, byte]));
    const segment = { bytes, durationSeconds: parts.length * 0.4, programDateTime: new Date(0) };
    // The caller must replace the run.
    await this.presentation.addSegment(name, segment).catch(() => this.begin());
  }

  /** Both renditions get so many segments of five parts. */
  async segments(count: number): Promise<void> {
    for (let segment = 0; segment < count; segment += 1) {
      for (let part = 0; part < 5; part += 1) names.forEach(name => this.part(name));
      for (const name of names) await this.segment(name);
    }
  }

  playlist(name: Name = 'a', isDelta = false): string {
    return this.presentation.mediaPlaylist(name, isDelta) ?? '';
  }
}

interface Read {
  /** URI of each whole segment, by media sequence number. */
  segments: Map<number, string>;
  /** URIs of the listed parts, by media sequence number. */
  parts: Map<number, string[]>;
  hint: string | undefined;
}

function read(playlist: string): Read {
  const found: Read = { segments: new Map(), parts: new Map(), hint: undefined };
  let msn = Number(/MEDIA-SEQUENCE:(\d+)/.exec(playlist)?.[1]);
  for (const [, part, hint, segment] of playlist.matchAll(lines)) {
    if (part) found.parts.set(msn, [...(found.parts.get(msn) ?? []), part]);
    if (hint) found.hint = hint;
    if (segment) found.segments.set(msn++, segment);
  }
  return found;
}

/** A part, a hint or a segment. */
const lines = /^(?:#EXT-X-PART:.*URI="([^"]+)".*|#EXT-X-PRELOAD-HINT:TYPE=PART,URI="([^"]+)"|([^#\n].*))$/gm;

describe('a low-latency playlist', () => {
  it('lists parts of the last three target durations and of the open segment, with a hint and the other renditions', async () => {
    const broadcast = new TestBroadcast();
    await broadcast.begin();
    await broadcast.segments(5);
    names.forEach(name => broadcast.part(name));
    const lines = broadcast.playlist().split('\n');
    expect(lines.slice(0, 7)).toEqual([
      '#EXTM3U',
      '#EXT-X-VERSION:7',
      '#EXT-X-TARGETDURATION:2',
      '#EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES,PART-HOLD-BACK=1.380,CAN-SKIP-UNTIL=12.0',
      '#EXT-X-PART-INF:PART-TARGET=0.460',
      '#EXT-X-MEDIA-SEQUENCE:0',
      '#EXT-X-DISCONTINUITY-SEQUENCE:0',
    ]);
    const { parts, segments, hint } = read(broadcast.playlist());
    expect([...segments.keys()]).toEqual([0, 1, 2, 3, 4]);
    expect([...parts].map(([msn, uris]) => [msn, uris.length])).toEqual([
      [1, 5],
      [2, 5],
      [3, 5],
      [4, 5],
      [5, 1],
    ]);
    const first = parts.get(5)?.[0] ?? '';
    expect(first).toMatch(/-5\.0\.m4s$/);
    expect(hint).toBe(first.replace('.0.m4s', '.1.m4s'));
    expect(lines).toContain(`#EXT-X-PART:DURATION=0.400000,URI="${first}",INDEPENDENT=YES`);
    expect(lines.at(-2)).toBe('#EXT-X-RENDITION-REPORT:URI="../b/index.m3u8",LAST-MSN=5,LAST-PART=0');
  });

  it('lists a part once all renditions have it, and hints at the next segment once the open one has its length', async () => {
    const broadcast = new TestBroadcast();
    await broadcast.begin();
    await broadcast.segments(1);
    broadcast.part('a');
    expect(read(broadcast.playlist()).parts.get(1)).toBeUndefined();
    broadcast.part('b');
    expect(read(broadcast.playlist()).parts.get(1)).toHaveLength(1);
    for (let part = 1; part < 5; part += 1) names.forEach(name => broadcast.part(name));
    const { hint } = read(broadcast.playlist());
    expect(hint).toMatch(/-2\.0\.m4s$/);
    expect(broadcast.presentation.live?.isHinted(`a/${hint}`)).toBe(true);
    expect(broadcast.presentation.live?.isHinted(`a/${hint?.replace('.0.', '.1.')}`)).toBe(false);
    expect(broadcast.presentation.live?.isHinted(`c/${hint}`)).toBe(false);
  });

  it('has neither parts nor a hint after the end, and lists the parts of the last segment as a short one', async () => {
    const broadcast = new TestBroadcast();
    await broadcast.begin();
    await broadcast.segments(1);
    names.forEach(name => broadcast.part(name));
    broadcast.presentation.end();
    const { parts, segments, hint } = read(broadcast.playlist());
    expect([parts.size, segments.size, hint]).toEqual([0, 2, undefined]);
    expect(broadcast.playlist()).toMatch(/#EXTINF:0\.400000,\n\S+-1c\.m4s\n#EXT-X-ENDLIST\n$/);
    expect(broadcast.presentation.live?.hasReached('a', { msn: 99, part: 3 })).toBe(true);
    await broadcast.presentation.close();
  });

  it('adds nothing to a broadcast that is not low-latency', async () => {
    const presentation = new Presentation(
      'b',
      { segmentSeconds: 2, windowSegments: 6, isLow: false },
      new MemorySegmentStore(),
      systemClock,
    );
    presentation.beginRun({ renditions, startsAt: new Date(0) });
    for (const name of names) await presentation.addInit(name, recordedVideo.init);
    const { version } = presentation;
    const time = { programDateTime: new Date(0), durationSeconds: 2 };
    for (const name of names) {
      presentation.addPart(name, { ...time, bytes: Buffer.from('x'), isIndependent: true });
      await presentation.addSegment(name, { ...time, bytes: Buffer.from('x') });
    }
    expect(presentation.version).toBe(version + 1);
    const tags = presentation.mediaPlaylist('a')?.match(/^#EXT[-A-Z0-9]*/gm);
    expect(tags).toEqual([
      ...['#EXTM3U', '#EXT-X-VERSION', '#EXT-X-TARGETDURATION', '#EXT-X-MEDIA-SEQUENCE'],
      ...['#EXT-X-DISCONTINUITY-SEQUENCE', '#EXT-X-MAP', '#EXT-X-PROGRAM-DATE-TIME', '#EXTINF'],
    ]);
  });

  type Step = { type: 'run' } | { type: 'part' | 'segment'; name: Name };
  const step: fc.Arbitrary<Step> = fc.oneof(
    { weight: 1, arbitrary: fc.constant({ type: 'run' as const }) },
    { weight: 20, arbitrary: fc.record({ type: fc.constant('part' as const), name: fc.constantFrom(...names) }) },
    { weight: 6, arbitrary: fc.record({ type: fc.constant('segment' as const), name: fc.constantFrom(...names) }) },
  );

  const reached = { parts: 0, segments: 0, cuts: 0, kept: 0 };
  /** The media sequence number and the number of each part that was listed. */
  type Places = Map<string, string>;

  async function checkParts({ presentation }: TestBroadcast, name: Name, now: Read, places: Places): Promise<void> {
    for (const [msn, uris] of now.parts) {
      const placed = uris.map((uri, part) => [uri, places.get(uri) ?? `${msn}.${part}`] as const);
      expect(placed.map(([, place]) => place)).toEqual(uris.map((_, part) => `${msn}.${part}`));
      for (const [uri, place] of placed) places.set(uri, place);
      const parts = await Promise.all(uris.map(uri => presentation.segment(`${name}/${uri}`)));
      expect(parts).not.toContain(undefined);
      const whole = now.segments.get(msn);
      const bytes = await presentation.segment(`${name}/${whole}`);
      if (bytes) expect(Buffer.concat(parts as Buffer[]).equals(bytes)).toBe(true);
      reached.parts += parts.length;
      if (whole?.endsWith('c.m4s')) reached.cuts += 1;
    }
  }

  function checkKept(before: Read, now: Read): void {
    reached.segments = Math.max(reached.segments, ...now.segments.keys());
    for (const [msn, uris] of before.parts) {
      const later = now.parts.get(msn);
      // Only of a whole segment, which is old.
      if (!later) expect(msn).toBeLessThanOrEqual(Math.max(...now.segments.keys()));
      else expect(later.slice(0, uris.length)).toEqual(uris);
      if (later) reached.kept += 1;
    }
  }

  it('keeps every part that it has listed, at its place, until its segment is listed', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 150 }), async steps => {
        const broadcast = new TestBroadcast();
        const places = { a: new Map<string, string>(), b: new Map<string, string>() };
        const before: Partial<Record<Name, Read>> = {};
        await broadcast.begin();
        for (const next of steps) {
          if (next.type === 'run') await broadcast.begin();
          else if (next.type === 'part') broadcast.part(next.name);
          else await broadcast.segment(next.name);
          for (const name of names) {
            const now = read(broadcast.playlist(name));
            await checkParts(broadcast, name, now, places[name]);
            checkKept(before[name] ?? now, now);
            before[name] = now;
          }
          const ends = names.map(name => [...(before[name]?.segments.keys() ?? [])].at(-1));
          expect(ends[0]).toBe(ends[1]);
        }
        await broadcast.presentation.close();
      }),
      { numRuns: 20, endOnFailure: true },
    );
    expect(reached.segments).toBeGreaterThan(5);
    expect(reached.parts).toBeGreaterThan(2_000);
    expect(reached.kept).toBeGreaterThan(500);
    expect(reached.cuts).toBeGreaterThan(20);
  });
});

describe('the directives of a player that waits', () => {
  it.each<[string, Awaited | undefined]>([
    ['', undefined],
    ['_HLS_skip=YES', undefined],
    ['_HLS_msn=0', { msn: 0 }],
    ['_HLS_msn=12&_HLS_part=3&_HLS_skip=YES', { msn: 12, part: 3 }],
    ['_HLS_part=9999&_HLS_msn=1', { msn: 1, part: 9999 }],
    // A cache keys by the query as sent, which names no playlist here.
    ['_HLS_skip=NO&%5FHLS_msn=1', undefined],
    ['_hls_msn=9&_hls_part=1&_HLS_msn=0', { msn: 0 }],
  ])('are read from: %s', (query, awaited) => expect(parseAwaited(query)).toEqual(awaited));

  it.each([
    '_HLS_part=1',
    '_HLS_msn=',
    '_HLS_msn=-1',
    '_HLS_msn=1.5',
    '_HLS_msn=01',
    '_HLS_msn=1e3',
    '_HLS_msn=9999999999999999',
    '_HLS_msn=1&_HLS_msn=2',
    '_HLS_msn=1&_HLS_part=x',
    '_HLS_msn=1&_HLS_part=12345',
    '_HLS_msn=%30',
    '_HLS_msn',
  ])('are refused: %s', query => expect(() => parseAwaited(query)).toThrow('_HLS_'));

  const edge = { msn: 10, parts: 5, openParts: 2 };
  const cases: [Awaited, boolean | string][] = [
    [{ msn: 9 }, true],
    [{ msn: 10 }, true],
    [{ msn: 11 }, false],
    [{ msn: 13 }, false],
    [{ msn: 14 }, '_HLS_msn is more than two segments ahead.'],
    [{ msn: 9, part: 40 }, true],
    [{ msn: 10, part: 4 }, true],
    [{ msn: 10, part: 5 }, true],
    [{ msn: 11, part: 1 }, true],
    [{ msn: 11, part: 2 }, false],
    [{ msn: 11, part: 5 }, false],
    [{ msn: 11, part: 6 }, '_HLS_part is more than 3 parts ahead.'],
    [{ msn: 12, part: 0 }, false],
  ];
  it.each(cases)('%j are answered: %s', (awaited, answer) => {
    if (typeof answer === 'string') expect(() => isReached(awaited, edge, 1)).toThrow(answer);
    else expect(isReached(awaited, edge, 1)).toBe(answer);
  });

  it('wait for the first part of the next segment when they name a part behind the last one', () => {
    expect(isReached({ msn: 10, part: 5 }, { ...edge, openParts: 0 }, 1)).toBe(false);
  });
});

describe('the length of parts', () => {
  it.each([1, 1.5, 2, 4, 6, 10])('divides segments of %d s, with a target that is at most 15 %% longer', seconds => {
    const parts = seconds / partSecondsOf(seconds);
    expect(parts).toBeCloseTo(Math.round(parts), 6);
    expect(partTargetOf(seconds)).toBeGreaterThan(partSecondsOf(seconds));
    expect(partTargetOf(seconds)).toBeLessThan(0.6);
  });
});
