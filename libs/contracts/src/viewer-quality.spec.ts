import fc from 'fast-check';
import { longestPackedMinute, packSample, unpackSamples, viewerCauses, type ViewerCause } from './viewer-quality.js';

const minute = Date.UTC(2026, 10, 26, 10, 0, 0);
const known = fc.option(fc.integer({ min: 0, max: 30_000 }));
const share = fc.integer({ min: 0, max: 10_000 }).map(each => each / 10_000);
const sample = fc.record({
  at: fc.integer({ min: 0, max: 5_999 }).map(each => minute + each * 10),
  ...{ roundTripMs: known, layer: known, delayMs: known, fractionLost: share, retransmitted: share },
  bitrate: fc.integer({ min: 0, max: 32_000 }).map(each => each * 1_000),
  frozenMs: fc.integer({ min: 0, max: 30_000 }),
  cause: fc.constantFrom(...(Object.keys(viewerCauses) as ViewerCause[])),
  value: fc.integer({ min: 0, max: 30_000 }).map(each => each / 10),
});

describe('packed samples of a viewer', () => {
  it('keep their values', () => {
    fc.assert(
      fc.property(fc.array(sample, { maxLength: 6 }), samples => {
        const packed = samples.flatMap(each => packSample(each, minute));
        expect(packed.length).toBeLessThanOrEqual(longestPackedMinute);
        expect(unpackSamples({ minute, samples: packed })).toEqual(samples);
      }),
    );
  });

  it('fit 16 bits, whatever was measured', () => {
    const wild = { ...fc.sample(sample, 1)[0]!, roundTripMs: 1e9, bitrate: Number.NaN, frozenMs: Infinity, value: -7 };
    for (const each of packSample(wild, minute)) expect(Math.abs(each)).toBeLessThanOrEqual(32_767);
  });

  it('are read from a newer node, whose cause is unknown', () => {
    const [read] = unpackSamples({ minute, samples: [1, 2, 3, 4, 5, 6, 7, 8, 999, 10, 11] });
    expect(read?.cause).toBe('none');
  });
});
