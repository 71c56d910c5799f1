import fc from 'fast-check';
import { obuPayload, obuType, parseAv1Payload, parseSequenceHeader, sequenceHeaderOf } from './av1.js';
import { BitReader, readLeb128, writeLeb128 } from './bit-reader.js';
import { parseVp9Payload, vp9KeyframeSize } from './vp9.js';

describe('BitReader', () => {
  /** The bits of an unsigned Exp-Golomb code. */
  const golomb = (value: number): string => {
    const binary = (value + 1).toString(2);
    return '0'.repeat(binary.length - 1) + binary;
  };

  it('reads Exp-Golomb codes, and sees that there is none behind the end', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(2 ** 31 - 2), { minLength: 1 }), values => {
        const bits = values.map(golomb).join('');
        const bytes = bits.match(/.{1,8}/g)!.map(byte => parseInt(byte.padEnd(8, '0'), 2));
        const reader = new BitReader(Buffer.from(bytes));
        expect(values.map(() => reader.unsignedGolomb())).toEqual(values);
        expect(reader.isBeyondEnd).toBe(false);
        // The rest of the last byte is 0.
        reader.unsignedGolomb();
        expect(reader.isBeyondEnd).toBe(true);
      }),
    );
  });

  it('reads no code from more than 31 zeros', () => {
    const reader = new BitReader(Buffer.from('00000000ffffffffffffffff', 'hex'));
    expect(reader.unsignedGolomb()).toBe(0);
    expect(reader.isBeyondEnd).toBe(true);
  });
});

describe('VP9', () => {
  it('reads the size in a keyframe header only', () => {
    expect(vp9KeyframeSize(Buffer.from('824983420027f0167000', 'hex'))).toEqual({ width: 640, height: 360 });
    expect(vp9KeyframeSize(Buffer.from('864983420027f0167000', 'hex'))).toBeUndefined();
  });

  it('finds the frame behind any payload descriptor', () => {
    const frame = [0x82, 0x49];
    const sizes = fc.array(fc.record({ width: fc.nat(65_535), height: fc.nat(65_535) }), {
      minLength: 1,
      maxLength: 8,
    });
    const references = fc.array(fc.array(fc.nat(255), { maxLength: 3 }), { maxLength: 20 });
    fc.assert(
      fc.property(fc.boolean(), fc.boolean(), sizes, references, (hasPictureID, hasLayers, layers, group) => {
        const bits = (hasPictureID ? 0x80 : 0) | (hasLayers ? 0x20 : 0) | 0x0a;
        const head = [...(hasPictureID ? [0x81, 0x02] : []), ...(hasLayers ? [0x00, 0x09] : [])];
        const dimensions = layers.flatMap(({ width, height }) => [width >> 8, width & 255, height >> 8, height & 255]);
        const pictures = group.flatMap(differences => [differences.length << 2, ...differences]);
        const structure = [((layers.length - 1) << 5) | 0x18, ...dimensions, group.length, ...pictures];
        const part = parseVp9Payload(Buffer.from([bits, ...head, ...structure, ...frame]));
        expect(part).toEqual({
          data: Buffer.from(frame),
          start: true,
          layerSizes: layers.filter(({ width, height }) => width > 0 && height > 0),
        });
      }),
    );
  });
});

describe('AV1', () => {
  it('writes and reads lengths', () => {
    fc.assert(
      fc.property(fc.nat(), value => {
        const bytes = writeLeb128(value);
        expect(readLeb128(bytes, 0)).toEqual({ value, length: bytes.length });
      }),
    );
  });
});

describe('the readers of VP9 and AV1', () => {
  it('survive any bytes', () => {
    const starts = fc
      .constantFrom('', '8a05', '824983420027f016', '10080000', '0800')
      .map(hex => Buffer.from(hex, 'hex'));
    fc.assert(
      fc.property(starts, fc.uint8Array({ maxLength: 60 }), (start, bytes) => {
        const any = Buffer.concat([start, bytes]);
        parseVp9Payload(any);
        vp9KeyframeSize(any);
        const part = parseAv1Payload(any);
        if (part) sequenceHeaderOf(part);
        parseSequenceHeader(any);
        readLeb128(any, 0);
        part?.elements.forEach(unit => {
          obuType(unit);
          obuPayload(unit);
        });
      }),
      { numRuns: 1_000 },
    );
  });
});
