import fc from 'fast-check';
import { parseSpsSize } from './h264-sps.js';
import { readLeb128, writeLeb128 } from './leb128.js';
import { parseVp9Payload, vp9KeyframeSize } from './vp9.js';

describe('H.264', () => {
  it('reads the size of an SPS, and nothing from what is none', () => {
    const sps = Buffer.from('6764001eacd940a02ff9610000030001000003003c8f162d96', 'hex');
    expect(parseSpsSize(sps)).toEqual({ width: 640, height: 360 });
    expect(parseSpsSize(Buffer.from('67', 'hex'))).toBeUndefined();
    expect(parseSpsSize(sps.subarray(0, 7))).toBeUndefined();
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
