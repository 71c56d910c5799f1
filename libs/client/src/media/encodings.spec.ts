import fc from 'fast-check';
import { chooseEncodings, type EncodingRequest } from './encodings.js';

const free = { simulcast: true, maxHeight: 1440, maxBitrate: 20_000_000 };

describe('how a track is sent', () => {
  it.each<[string, EncodingRequest, [number, number][]]>([
    [
      'a camera of 720 lines in three sizes',
      { ...free, source: 'camera', size: { width: 1280, height: 720 } },
      [
        [4, 200_000],
        [2, 700_000],
        [1, 2_000_000],
      ],
    ],
    [
      'a camera of 360 lines in two',
      { ...free, source: 'camera', size: { width: 640, height: 360 } },
      [
        [2, 200_000],
        [1, 700_000],
      ],
    ],
    ['a tiny camera as it is', { ...free, source: 'camera', size: { width: 320, height: 180 } }, [[1, 200_000]]],
    [
      'a camera upright by its shorter side',
      { ...free, source: 'camera', size: { width: 360, height: 640 }, simulcast: false },
      [[1, 700_000]],
    ],
    [
      'no more lines than allowed',
      { ...free, source: 'camera', size: { width: 1920, height: 1080 }, maxHeight: 360 },
      [
        [6, 200_000],
        [3, 700_000],
      ],
    ],
    [
      'a screen within its bounds',
      { ...free, source: 'screen', size: { width: 3840, height: 2160 }, simulcast: false, maxHeight: 1080 },
      [[2, 3_500_000]],
    ],
    [
      'no more bits than allowed, voice left aside',
      { ...free, source: 'camera', size: { width: 1280, height: 720 }, simulcast: false, maxBitrate: 1_048_000 },
      [[1, 1_000_000]],
    ],
  ])('is %s', (_what, request, layers) => {
    const encodings = chooseEncodings(request);
    expect(encodings.map(each => [each.scaleResolutionDownBy, each.maxBitrate])).toEqual(layers);
  });

  it('has temporal layers with simulcast, and a screen with fewer frames', () => {
    const size = { width: 1280, height: 720 };
    expect(chooseEncodings({ ...free, source: 'camera', size })[0]).toMatchObject({ scalabilityMode: 'L1T3' });
    const [screen] = chooseEncodings({ ...free, source: 'screen', size, simulcast: false });
    expect(screen).toMatchObject({ maxFramerate: 15 });
    expect(screen?.scalabilityMode).toBeUndefined();
  });

  it.each([
    ['microphone', 48_000],
    ['screenAudio', 128_000],
  ] as const)('is one encoding for a %s', (source, maxBitrate) => {
    expect(chooseEncodings({ ...free, source })).toEqual([{ maxBitrate }]);
  });

  it('stays within any bounds', () => {
    const request = fc.record({
      source: fc.constantFrom('camera' as const, 'screen' as const),
      size: fc.record({ width: fc.integer({ min: 16, max: 8000 }), height: fc.integer({ min: 16, max: 8000 }) }),
      simulcast: fc.boolean(),
      maxHeight: fc.constantFrom(180, 480, 720, 1080, 1440),
      maxBitrate: fc.integer({ min: 100_000, max: 20_000_000 }),
    });
    fc.assert(
      fc.property(request, each => {
        const encodings = chooseEncodings(each);
        const lines = Math.min(each.size.width, each.size.height);
        const scales = encodings.map(({ scaleResolutionDownBy = 0 }) => scaleResolutionDownBy);
        expect(Math.min(...scales)).toBeGreaterThanOrEqual(1);
        expect(lines / Math.min(...scales)).toBeLessThanOrEqual(each.maxHeight + 1e-6);
        expect(scales).toEqual(scales.toSorted((one, other) => other - one));
        const bitrates = encodings.map(({ maxBitrate = 0 }) => maxBitrate);
        expect(bitrates.reduce((sum, bitrate) => sum + bitrate, 0)).toBeLessThanOrEqual(each.maxBitrate);
      }),
    );
  });
});
