import fc from 'fast-check';
import { mostComposedSources, type ComposedRoom, type ComposedSource, type CompositionStyle } from '@rtms/contracts';
import { arrange, type Tile } from './arrange.js';

const evenLength = (min: number, max: number) => fc.integer({ min: min / 2, max: max / 2 }).map(half => half * 2);

const styles: fc.Arbitrary<CompositionStyle> = fc.record({
  layout: fc.constantFrom('grid', 'speaker', 'single'),
  width: evenLength(2, 3840),
  height: evenLength(2, 3840),
  fit: fc.constantFrom('contain', 'cover'),
  hasEmptyTiles: fc.boolean(),
  audio: fc.constantFrom('all', 'onScreen', 'host'),
  backgroundColor: fc.constant('#000000'),
});

const sources: fc.Arbitrary<ComposedSource[]> = fc
  .array(
    fc.record({
      view: fc.constantFrom('camera' as const, 'screen' as const),
      tracks: fc.subarray(['audio' as const, 'video' as const]),
      isHost: fc.boolean(),
    }),
    { maxLength: mostComposedSources + 4 },
  )
  .map(all => all.map((each, i) => ({ ...each, sourceID: `part_${i}`, sfuNodeID: 'sfu_1', name: `Name ${i}` })));

const rooms: fc.Arbitrary<ComposedRoom> = fc
  .tuple(sources, fc.option(fc.nat(mostComposedSources)))
  .map(([all, speaker]) => ({ sources: all, ...(speaker !== null && { speakerID: `part_${speaker}` }) }));

const room = (...list: (Partial<ComposedSource> & { sourceID: string })[]): ComposedRoom => ({
  sources: list.map(each => ({
    ...{ view: 'camera', sfuNodeID: 'sfu_1', tracks: ['audio', 'video'], name: each.sourceID, isHost: false },
    ...each,
  })),
});

const style = (change: Partial<CompositionStyle> = {}): CompositionStyle => ({
  ...{ layout: 'grid', width: 1280, height: 720, fit: 'contain', hasEmptyTiles: false, audio: 'all' },
  backgroundColor: '#000000',
  ...change,
});

const idsOf = (tiles: readonly Tile[]) => tiles.map(({ source }) => source.sourceID);
const areasOf = (tiles: readonly Tile[]) => tiles.map(({ x, y, width, height }) => [x, y, width, height]);

describe('an arrangement', () => {
  it('has even tiles inside the picture that do not overlap', () => {
    fc.assert(
      fc.property(styles, rooms, (form, members) => {
        const { tiles } = arrange(form, members);
        for (const { x, y, width, height } of tiles) {
          expect([x, y, width, height].filter(number => number % 2 !== 0 || number < 0)).toEqual([]);
          expect(Math.min(width, height)).toBeGreaterThan(0);
          expect(x + width).toBeLessThanOrEqual(form.width);
          expect(y + height).toBeLessThanOrEqual(form.height);
        }
        for (const one of tiles) for (const other of tiles) if (one !== other) expect(overlap(one, other)).toBe(false);
      }),
    );
  });

  it('keeps the order of joining, shows each source once, and leaves out the newest above the bound', () => {
    fc.assert(
      fc.property(styles, rooms, (form, members) => {
        const ids = idsOf(arrange(form, members).tiles);
        expect(new Set(ids).size).toBe(ids.length);
        const [, ...others] = ids.map(id => Number(id.slice('part_'.length)));
        expect(others).toEqual([...others].sort((a, b) => a - b));
        expect(Math.max(0, ...others)).toBeLessThan(mostComposedSources);
      }),
    );
  });

  it('shows every source with a picture in a grid of usual size', () => {
    fc.assert(
      fc.property(sources, all => {
        const { tiles } = arrange(style(), { sources: all });
        const seen = all.slice(0, mostComposedSources).filter(({ tracks }) => tracks.includes('video'));
        expect(tiles).toHaveLength(seen.length);
      }),
    );
  });

  it.each([
    ['one source', 1, [[0, 0, 1280, 720]]],
    [
      'two sources',
      2,
      [
        [0, 0, 640, 720],
        [640, 0, 640, 720],
      ],
    ],
    [
      'three sources',
      3,
      [
        [0, 0, 640, 360],
        [640, 0, 640, 360],
        [320, 360, 640, 360],
      ],
    ],
  ])('is a grid of %s', (_name, count, areas) => {
    const members = room(...Array.from({ length: count }, (_, i) => ({ sourceID: `part_${i}` })));
    expect(areasOf(arrange(style(), members).tiles)).toEqual(areas);
  });

  it.each(['grid', 'speaker', 'single'] as const)('gives the main place of %s to the newest screen', layout => {
    const members = room({ sourceID: 'ada' }, { sourceID: 'bob', view: 'screen' }, { sourceID: 'eve', view: 'screen' });
    const { tiles } = arrange(style({ layout }), { ...members, speakerID: 'ada' });
    expect(idsOf(tiles)).toEqual(layout === 'single' ? ['eve'] : ['eve', 'ada', 'bob']);
    const [main, ...others] = tiles;
    for (const other of others) expect(other.width).toBeLessThan(main!.width);
  });

  it('gives the main place to the speaker, else to the first source with a picture', () => {
    const members = room({ sourceID: 'ada', tracks: ['audio'] }, { sourceID: 'bob' }, { sourceID: 'eve' });
    const form = style({ layout: 'single', hasEmptyTiles: true });
    expect(idsOf(arrange(form, { ...members, speakerID: 'eve' }).tiles)).toEqual(['eve']);
    expect(idsOf(arrange(form, { ...members, speakerID: 'gone' }).tiles)).toEqual(['bob']);
    expect(idsOf(arrange(form, members).tiles)).toEqual(['bob']);
  });

  it('has tiles for sources without a picture only if the style has them, and none for a screen', () => {
    const members = room(
      { sourceID: 'ada', tracks: ['audio'] },
      { sourceID: 'bob' },
      { sourceID: 'bob', view: 'screen', tracks: ['audio'] },
    );
    expect(idsOf(arrange(style(), members).tiles)).toEqual(['bob']);
    expect(idsOf(arrange(style({ hasEmptyTiles: true }), members).tiles)).toEqual(['ada', 'bob']);
  });

  it.each([
    ['all', ['ada', 'bob']],
    ['onScreen', ['bob']],
    ['host', ['ada']],
  ] as const)('lets sources be heard: %s', (audio, ids) => {
    const members = room(
      { sourceID: 'ada', tracks: ['audio'], isHost: true },
      { sourceID: 'bob' },
      { sourceID: 'eve', tracks: ['video'] },
    );
    expect(arrange(style({ audio }), members).audible.map(({ sourceID }) => sourceID)).toEqual(ids);
  });

  it('is empty in an empty room', () => {
    expect(arrange(style(), { sources: [] })).toEqual({ tiles: [], audible: [] });
  });
});

function overlap(one: Tile, other: Tile): boolean {
  const apart =
    one.x + one.width <= other.x ||
    other.x + other.width <= one.x ||
    one.y + one.height <= other.y ||
    other.y + other.height <= one.y;
  return !apart;
}
