import fc from 'fast-check';
import type { CompositionStyle } from '@rtms/contracts';
import { composedFilters, composedInputs, fileInputs, fitInto, type ComposedGraph } from './composed-graph.js';

const style: CompositionStyle = {
  ...{ layout: 'grid', width: 640, height: 360, fit: 'contain', hasEmptyTiles: true, audio: 'all' },
  ...{ backgroundColor: '#102030', nameTagsColor: '#ffffff' },
};

const tile = { fit: 'contain' as const, x: 0, y: 0, width: 320, height: 360 };

const graph = (change: Partial<ComposedGraph> = {}): ComposedGraph => ({
  style,
  tiles: [
    { ...tile, picture: { width: 1280, height: 720 }, nameFile: 'name-0.txt' },
    { ...tile, x: 320, nameFile: 'name-1.txt' },
  ],
  sounds: 2,
  fontFile: '/fonts/DejaVuSans.ttf',
  ...change,
});

describe('the graph of a composition', () => {
  it('scales a picture into the middle of its tile, and keeps the last one', () => {
    expect(composedFilters(graph())).toContain('[1:v]scale=320:180,');
    expect(composedFilters(graph())).toContain('[b0][p0]overlay=x=0:y=90:eof_action=repeat');
  });

  it('covers a tile, and cuts what is outside', () => {
    const tiles = graph().tiles.map(each => ({ ...each, fit: 'cover' as const }));
    const filters = composedFilters(graph({ tiles }));
    expect(filters).toContain('[1:v]scale=640:360,crop=320:360,');
    expect(filters).toContain('[b0][p0]overlay=x=0:y=0:');
  });

  it('reads names from files without expanding them', () => {
    const tags = composedFilters(graph()).match(/drawtext=[^,]*/g) ?? [];
    const files = tags.map(tag => /:textfile=(.*?):expansion=none:/.exec(tag)?.[1]);
    expect(files.sort()).toEqual(['name-0.txt', 'name-1.txt']);
  });

  it.each([
    ['without a font', { fontFile: undefined }],
    [
      'if the style has no color for them',
      { style: { ...style, nameTagsColor: undefined } as unknown as CompositionStyle },
    ],
  ])('shows no names %s', (_name, change) => {
    expect(composedFilters(graph(change))).not.toContain('drawtext');
  });

  it.each(['red', '#12345', '#1234567', "#000000,drawtext=textfile='/etc/passwd'"])('refuses the color %s', color => {
    expect(() => composedFilters(graph({ style: { ...style, backgroundColor: color } }))).toThrow('#rrggbb');
    expect(() => composedFilters(graph({ style: { ...style, nameTagsColor: color } }))).toThrow('#rrggbb');
  });

  it('mixes the sounds for as long as the clock runs', () => {
    const filters = composedFilters(graph());
    for (const [input, name] of [
      [0, 's0'],
      [2, 's1'],
      [3, 's2'],
    ])
      expect(filters).toMatch(new RegExp(`\\[${input}:a\\][^;]*\\[${name}\\]`));
    expect(filters).toContain('[s0][s1][s2]amix=inputs=3:duration=first:normalize=0[a]');
    expect(composedFilters(graph({ sounds: 0 }))).toContain('[s0]anull[a]');
  });

  it('limits the decoded pictures, and only these', () => {
    const args = composedInputs(graph(), ['pipe:3', 'pipe:4', 'pipe:5', 'pipe:6'], ['-max_pixels', '1100']).join(' ');
    expect(args.match(/-max_pixels 1100/g)).toHaveLength(1);
    expect(args).toMatch(/pipe:3 .*-max_pixels 1100 .*-reinit_filter 0 .*pipe:4/);
  });

  it('moves pieces of files to the time of the run, and keeps a picture from before it', () => {
    const late = { path: 'late.mp4', begin: 4, end: 6, origin: 3.5 };
    const early = { path: 'early.mp4', begin: 0, end: 70, origin: 60 };
    const files = { pictures: [early], sounds: [late, early] };
    const filters = composedFilters(graph({ files }));
    expect(filters).toContain('[1:v]trim=start=49.995000:end=70.000000,setpts=PTS-(60.000000)/TB,scale=');
    expect(filters).toContain('[2:a]atrim=start=4.000000:end=6.000000,asetpts=PTS-(3.500000)/TB,aresample=');
    expect(filters).toContain('[0:a]aresample=');
    const args = fileInputs(files, 10, ['-max_pixels', '1100']).join(' ');
    expect(args.match(/-ss [\d.]+ -f mp4 -i \w+/g)).toEqual([
      '-ss 60.000 -f mp4 -i early',
      '-ss 3.000 -f mp4 -i late',
      '-ss 59.000 -f mp4 -i early',
    ]);
    expect(args.match(/-max_pixels 1100/g)).toHaveLength(1);
  });
});

const evenLength = (min: number, max: number) => fc.integer({ min: min / 2, max: max / 2 }).map(half => half * 2);

describe('a picture in its tile', () => {
  const sizes = fc.record({ width: fc.integer({ min: 2, max: 4096 }), height: fc.integer({ min: 2, max: 4096 }) });
  const tileSizes = fc.record({ width: evenLength(2, 3840), height: evenLength(2, 3840) });

  it('is even, and inside the tile or around it', () => {
    fc.assert(
      fc.property(sizes, tileSizes, (picture, tile) => {
        const contained = fitInto(picture, tile, 'contain');
        const covering = fitInto(picture, tile, 'cover');
        for (const side of ['width', 'height'] as const) {
          expect([contained[side] % 2, covering[side] % 2]).toEqual([0, 0]);
          expect(contained[side]).toBeLessThanOrEqual(tile[side]);
          expect(covering[side]).toBeGreaterThanOrEqual(tile[side]);
        }
      }),
    );
  });

  it('keeps its shape', () => {
    const portrait = { width: 360, height: 640 };
    expect(fitInto(portrait, { width: 640, height: 360 }, 'contain')).toEqual({ width: 202, height: 360 });
    expect(fitInto(portrait, { width: 640, height: 360 }, 'cover')).toEqual({ width: 640, height: 1138 });
  });
});
