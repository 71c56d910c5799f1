import fc from 'fast-check';
import {
  longestPackedMinute,
  packSample,
  reasonOf,
  unpackSamples,
  type Verdict,
  viewerCauses,
  type ViewerCause,
} from './viewer-quality.js';
import { longestHlsMinute, packHlsSample, unpackHlsSamples } from './hls-viewer-quality.js';

const minute = Date.UTC(2026, 10, 26, 10, 0, 0);
const known = fc.option(fc.integer({ min: 0, max: 30_000 }));
const share = fc.integer({ min: 0, max: 10_000 }).map(each => each / 10_000);
/** Shares have one decimal place, times are whole milliseconds. */
const verdict: fc.Arbitrary<Verdict> = fc
  .tuple(fc.constantFrom(...(Object.keys(viewerCauses) as ViewerCause[])), fc.integer({ min: 0, max: 30_000 }))
  .map(([cause, value]) => ({ cause, value: viewerCauses[cause].reason(0).includes('%') ? value / 10 : value }));
const measured = fc.record({
  at: fc.integer({ min: 0, max: 5_999 }).map(each => minute + each * 10),
  ...{ roundTripMs: known, layer: known, delayMs: known, fractionLost: share, retransmitted: share },
  bitrate: fc.integer({ min: 0, max: 32_000 }).map(each => each * 1_000),
  frozenMs: fc.integer({ min: 0, max: 30_000 }),
});
const sample = fc.tuple(measured, verdict).map(([values, of]) => ({ ...values, ...of }));

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

  it('keep the ten seconds of a silent viewer', () => {
    const silent = { ...fc.sample(measured, 1)[0]!, cause: 'viewer_silent', value: 10_000 } as const;
    const [read] = unpackSamples({ minute, samples: packSample(silent, minute) });
    expect(read && reasonOf(read)).toContain('answered nothing for 10 s');
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

describe('packed samples of an HLS viewer', () => {
  const bits = fc.option(fc.integer({ min: 0, max: 30_000 }).map(each => each * 10_000));
  const hlsSample = fc
    .tuple(
      fc.record({
        at: fc.integer({ min: 0, max: 5_999 }).map(each => minute + each * 10),
        bufferMs: fc.option(fc.integer({ min: 0, max: 30_000 }).map(each => each * 10)),
        stalls: fc.integer({ min: 0, max: 30_000 }),
        ...{ throughput: bits, bitrate: bits },
      }),
      verdict,
    )
    .map(([values, of]) => ({ ...values, ...of }));

  it('keep their values', () => {
    fc.assert(
      fc.property(fc.array(hlsSample, { maxLength: 6 }), samples => {
        const packed = samples.flatMap(each => packHlsSample(each, minute));
        expect(packed.length).toBeLessThanOrEqual(longestHlsMinute);
        expect(unpackHlsSamples({ minute, samples: packed })).toEqual(samples);
      }),
    );
  });

  it('fit 16 bits, whatever the player says', () => {
    const wild = { ...fc.sample(hlsSample, 1)[0]!, bufferMs: 1e9, throughput: 1e15, bitrate: Number.NaN };
    for (const each of packHlsSample(wild, minute)) expect(Math.abs(each)).toBeLessThanOrEqual(32_767);
  });
});
