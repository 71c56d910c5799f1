import fc from 'fast-check';
import { renditionLadder } from './rendition-ladder.js';

const sizes = (ladder: { label: string; width: number; height: number }[]) =>
  ladder.map(({ label, width, height }) => `${label} ${width}x${height}`);

describe('renditionLadder', () => {
  it.each([
    [
      '1080p',
      1920,
      1080,
      undefined,
      ['1080p 1920x1080', '720p 1280x720', '540p 960x540', '360p 640x360', '240p 426x240'],
    ],
    ['720p', 1280, 720, undefined, ['720p 1280x720', '540p 960x540', '360p 640x360', '240p 426x240']],
    ['1080p capped at 720', 1920, 1080, 720, ['720p 1280x720', '540p 960x540', '360p 640x360', '240p 426x240']],
    ['1080p capped at 480', 1920, 1080, 480, ['480p 854x480', '360p 640x360', '240p 426x240']],
    ['1080p capped at 180', 1920, 1080, 180, ['180p 320x180']],
    ['portrait, capped at 480', 1080, 1920, 480, ['480p 480x854', '360p 360x640', '240p 240x426']],
    ['360p with a higher cap', 640, 360, 1080, ['360p 640x360', '240p 426x240']],
    ['portrait', 720, 1280, undefined, ['720p 720x1280', '540p 540x960', '360p 360x640', '240p 240x426']],
    ['odd', 641, 363, undefined, ['363p 640x362', '240p 424x240']],
    [
      'near a rung',
      1920,
      1088,
      undefined,
      ['1088p 1920x1088', '720p 1270x720', '540p 952x540', '360p 636x360', '240p 424x240'],
    ],
    ['tiny', 64, 48, undefined, ['48p 64x48']],
  ])('of a source that is %s', (_name, width, height, maxHeight, expected) => {
    expect(sizes(renditionLadder({ width, height, framesPerSecond: 30, ...(maxHeight && { maxHeight }) }))).toEqual(
      expected,
    );
  });

  it.each([
    ['2160p at 30 frames', 3840, 2160, 30, 12_000_000],
    ['above the table', 7680, 4320, 30, 12_000_000],
    ['1440p', 2560, 1440, 30, 7_500_000],
    ['1080p', 1920, 1080, 30, 4_500_000],
    ['1080p at 31 frames', 1920, 1080, 31, 6_750_000],
    ['540p', 960, 540, 30, 1_500_000],
    ['360p', 640, 360, 30, 800_000],
    ['a seventh of the way from 540p to 720p, by its pixels', 1000, 576, 30, 1_642_857],
    ['the smallest', 16, 16, 30, 100_000],
  ])('gives its best rendition the bits of the table: %s', (_case, width, height, framesPerSecond, bitrate) => {
    expect(renditionLadder({ width, height, framesPerSecond })[0]?.bitrate).toBe(bitrate);
  });

  it('gives each rung at most three quarters of the bits of the one above when the source sends few', () => {
    const ladder = renditionLadder({ width: 1280, height: 720, framesPerSecond: 30, bitrate: 1_000_000 });
    expect(ladder.map(({ bitrate }) => bitrate)).toEqual([1_000_000, 750_000, 562_500, 399_375]);
  });

  it('skips a rung above nine tenths of the one before, and makes no side shorter than 16', () => {
    const labels = (width: number, height: number) =>
      renditionLadder({ width, height, framesPerSecond: 30 }).map(({ label }) => label);
    expect(labels(1067, 600)).toEqual(['600p', '540p', '360p', '240p']);
    expect(labels(1065, 599)).toEqual(['599p', '360p', '240p']);
    expect(renditionLadder({ width: 40, height: 400, framesPerSecond: 30 })[0]).toMatchObject({
      width: 40,
      height: 400,
    });
    expect(renditionLadder({ width: 16, height: 4000, framesPerSecond: 30, maxHeight: 8 })[0]?.width).toBe(16);
  });

  it('uses at most the source bit rate, and fewer bits on each lower rung', () => {
    const bitrates = (bitrate?: number) =>
      renditionLadder({ width: 1280, height: 720, framesPerSecond: 30, ...(bitrate !== undefined && { bitrate }) }).map(
        rung => rung.bitrate,
      );
    expect(bitrates()).toEqual([2_500_000, 1_500_000, 800_000, 399_375]);
    expect(bitrates(1_200_000)[0]).toBe(1_200_000);
    expect(bitrates(1)[0]).toBe(875_000);
  });

  it('is never empty, never above the source, always even and falling', () => {
    const source = fc.record({
      width: fc.integer({ min: 16, max: 4096 }),
      height: fc.integer({ min: 16, max: 4096 }),
      framesPerSecond: fc.integer({ min: 5, max: 60 }),
    });
    fc.assert(
      fc.property(source, candidate => {
        const ladder = renditionLadder(candidate);
        expect(ladder.length).toBeGreaterThan(0);
        for (const { width, height } of ladder) {
          expect(width).toBeLessThanOrEqual(candidate.width);
          expect(height).toBeLessThanOrEqual(candidate.height);
          expect([width % 2, height % 2]).toEqual([0, 0]);
        }
        for (let i = 1; i < ladder.length; i += 1) expect(ladder[i]!.bitrate).toBeLessThan(ladder[i - 1]!.bitrate);
      }),
    );
  });
});

describe('the ladder of a broadcast with published renditions', () => {
  const source = (width: number, height: number) => ({ width, height, framesPerSecond: 30 });

  it.each([
    ['smaller', source(640, 360), 4, ['360p 640x360', '240p 426x240', '240p 426x240', '240p 426x240']],
    ['tiny', source(64, 48), 2, ['48p 64x48', '48p 64x48']],
    ['portrait', source(480, 640), 2, ['480p 480x640', '360p 360x480', '240p 240x320']],
    ['larger', source(1280, 720), 1, ['720p 1280x720', '540p 960x540', '360p 640x360', '240p 426x240']],
  ])('keeps their count, none above the source, when this is %s', (_name, candidate, fewest, expected) => {
    expect(sizes(renditionLadder(candidate, fewest))).toEqual(expected);
  });

  it('names renditions by rank, so that the first name is always the best', () => {
    const names = (width: number, height: number) => renditionLadder(source(width, height)).map(({ name }) => name);
    expect(names(320, 180)).toEqual(['v1']);
    expect(names(1280, 720)).toEqual(['v1', 'v2', 'v3', 'v4']);
  });
});
