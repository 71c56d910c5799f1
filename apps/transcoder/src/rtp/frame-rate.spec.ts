import { estimateFrameRate } from './frame-rate.js';

const every = (ticks: number, count = 20) => Array.from({ length: count }, (_, i) => i * ticks);

describe('estimateFrameRate', () => {
  it.each([
    ['30', every(3000), 30, 1],
    ['29.97', every(3003), 30_000, 1001],
    ['23.976', every(3753.75).map(Math.round), 24_000, 1001],
    ['60', every(1500), 60, 1],
    ['25 with frames out of order', [0, 7200, 3600, 14_400, 10_800], 25, 1],
    ['30 with a frame left out', every(3000).filter((_, i) => i !== 7), 30, 1],
    ['a jittering camera near 30', every(3000).map((t, i) => t + ((i * 733) % 400)), 30, 1],
    ['an odd 13.4', every(6716), 13, 1],
    ['a single frame', [0], 30, 1],
    ['one frame in four seconds', every(360_000), 5, 1],
  ])('of %s', (_name, timestamps, numerator, denominator) => {
    expect(estimateFrameRate(timestamps)).toEqual({ numerator, denominator });
  });
});
