import fc from 'fast-check';
import { isVp8Keyframe, parseVp8Payload, vp8KeyframeSize } from './vp8.js';

const keyframe = Buffer.from([0x00, 0, 0, 0x9d, 0x01, 0x2a, 0x80, 0x02, 0x68, 0x01]);
const interFrame = Buffer.from([0x01, ...keyframe.subarray(1)]);
const payload = (descriptor: number[], frame = keyframe): Buffer => Buffer.from([...descriptor, ...frame]);

describe('parseVp8Payload', () => {
  it.each([
    ['one byte', [0x10]],
    ['a picture id of one byte', [0x90, 0x80, 0x05]],
    ['a picture id of two bytes and temporal layers', [0x90, 0xe0, 0x85, 0x01, 0x02, 0x40]],
    ['a key frame index only', [0x90, 0x10, 0x03]],
    ['the first reserved bit set', [0x50]],
    ['the second reserved bit set', [0x18]],
  ])('finds the frame that begins behind a descriptor with %s', (_case, descriptor) => {
    expect(parseVp8Payload(payload(descriptor))).toEqual({ data: keyframe, start: true });
  });

  it.each([
    ['the middle of a partition', [0x00]],
    ['a later partition', [0x11]],
  ])('finds no start in %s', (_case, descriptor) => {
    expect(parseVp8Payload(payload(descriptor))).toEqual({ data: keyframe, start: false });
  });

  it.each([
    ['nothing', []],
    ['a descriptor only', [0x10]],
    ['a descriptor that is cut short', [0x90, 0xe0, 0x85]],
  ])('refuses %s', (_case, descriptor) => {
    expect(parseVp8Payload(Buffer.from(descriptor))).toBeUndefined();
  });
});

describe('vp8KeyframeSize', () => {
  it('reads the size of a keyframe only', () => {
    expect(vp8KeyframeSize(keyframe)).toEqual({ width: 640, height: 360 });
    expect(vp8KeyframeSize(interFrame)).toBeUndefined();
    expect(vp8KeyframeSize(keyframe.subarray(0, 9))).toBeUndefined();
  });

  it('leaves out the bits that ask for scaling', () => {
    const scaled = Buffer.from([...keyframe.subarray(0, 6), 0x80, 0x42, 0x68, 0xc1]);
    expect(vp8KeyframeSize(scaled)).toEqual({ width: 640, height: 360 });
  });

  it('takes a width or height of 0 for no size', () => {
    expect(vp8KeyframeSize(Buffer.from([...keyframe.subarray(0, 6), 0, 0, 0x68, 0x01]))).toBeUndefined();
    expect(vp8KeyframeSize(Buffer.from([...keyframe.subarray(0, 8), 0, 0]))).toBeUndefined();
  });
});

describe('the readers of VP8', () => {
  it('never throw, and give a part of the payload or nothing', () => {
    const starts = fc.constantFrom('', '10', '10000000009d012a', '90e08501024000').map(hex => Buffer.from(hex, 'hex'));
    fc.assert(
      fc.property(starts, fc.uint8Array({ maxLength: 40 }), (start, bytes) => {
        const any = Buffer.concat([start, bytes]);
        const part = parseVp8Payload(any);
        const size = vp8KeyframeSize(part?.data ?? any);
        isVp8Keyframe(any);
        const isTail = !part || any.subarray(-part.data.length).equals(part.data);
        return isTail && (size === undefined || (size.width > 0 && size.height > 0));
      }),
    );
  });
});
