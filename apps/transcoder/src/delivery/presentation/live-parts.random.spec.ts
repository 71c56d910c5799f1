import fc from 'fast-check';
import { names, read, TestBroadcast, type Name, type Read } from './testing/low-latency-bed.js';

type Step = { type: 'run' } | { type: 'part' | 'segment'; name: Name };
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 1, arbitrary: fc.constant({ type: 'run' as const }) },
  { weight: 20, arbitrary: fc.record({ type: fc.constant('part' as const), name: fc.constantFrom(...names) }) },
  { weight: 6, arbitrary: fc.record({ type: fc.constant('segment' as const), name: fc.constantFrom(...names) }) },
);

const reached = { parts: 0, segments: 0, cuts: 0, kept: 0, gone: 0, changes: 0 };
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

function secondsAfter({ seconds }: Read, msn: number): number {
  return [...seconds].reduce((sum, [each, duration]) => (each > msn ? sum + duration : sum), 0);
}

function checkVersion(before: Read, now: Read): void {
  if (before.text === now.text) return;
  expect(now.version).toBeGreaterThan(before.version);
  reached.changes += 1;
}

function checkKept(before: Read, now: Read): void {
  reached.segments = Math.max(reached.segments, ...now.segments.keys());
  for (const [msn, uris] of before.parts) {
    const later = now.parts.get(msn);
    if (later) expect(later.slice(0, uris.length)).toEqual(uris);
    // The segment may have slid out of the window.
    else if (msn >= Math.min(...now.segments.keys())) {
      expect(secondsAfter(now, msn)).toBeGreaterThan(3 * 2 - 0.001);
      reached.gone += 1;
    }
    if (later) reached.kept += 1;
  }
}

describe('any low-latency playlist', () => {
  it('keeps every part that it has listed, at its place, for three target durations, and counts each change', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 150 }), async steps => {
        const broadcast = new TestBroadcast();
        const places = { a: new Map<string, string>(), b: new Map<string, string>() };
        const before: Partial<Record<Name, Read>> = {};
        const { presentation } = broadcast;
        let heard = 0;
        presentation.onChanged(() => (heard += 1));
        await broadcast.begin();
        for (const next of steps) {
          if (next.type === 'run') await broadcast.begin();
          else if (next.type === 'part') broadcast.part(next.name);
          else await broadcast.segment(next.name);
          for (const name of names) {
            const now = read(broadcast.playlist(name), presentation.version);
            await checkParts(broadcast, name, now, places[name]);
            checkVersion(before[name] ?? now, now);
            checkKept(before[name] ?? now, now);
            before[name] = now;
          }
          const ends = names.map(name => [...(before[name]?.segments.keys() ?? [])].at(-1));
          expect(ends[0]).toBe(ends[1]);
        }
        expect(heard).toBeGreaterThanOrEqual(presentation.version);
        await presentation.close();
      }),
      { numRuns: 20, endOnFailure: true },
    );
    expect(reached.segments).toBeGreaterThan(5);
    expect(reached.parts).toBeGreaterThan(2_000);
    expect(reached.kept).toBeGreaterThan(500);
    expect(reached.cuts).toBeGreaterThan(20);
    expect(reached.gone).toBeGreaterThan(5);
    expect(reached.changes).toBeGreaterThan(200);
  });
});
