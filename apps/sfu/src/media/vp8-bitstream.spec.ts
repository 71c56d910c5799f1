import fc from 'fast-check';
import { vp8Pixels } from './vp8-bitstream.js';

const header = Buffer.from([0x80, 0x60, 0, 1, 0, 0, 0, 1, 0, 0, 0, 2]);
const keyframe = Buffer.from([0x00, 0, 0, 0x9d, 0x01, 0x2a, 0x80, 0x02, 0x68, 0x01]);
const packet = (descriptor: number[], frame = keyframe): Buffer =>
  Buffer.concat([header, Buffer.from(descriptor), frame]);

describe('the size of a VP8 picture', () => {
  it.each([
    ['a short descriptor', [0x10]],
    ['a picture id of one byte', [0x90, 0x80, 0x05]],
    ['a picture id of two bytes and temporal layers', [0x90, 0xe0, 0x85, 0x01, 0x02, 0x40]],
  ])('is read behind %s', (_case, descriptor) => {
    expect(vp8Pixels(packet(descriptor))).toBe(640 * 360);
  });

  it('is not in other frames, nor in the middle of one', () => {
    expect(vp8Pixels(packet([0x10], Buffer.from([0x01, ...keyframe.subarray(1)])))).toBeUndefined();
    expect(vp8Pixels(packet([0x00]))).toBeUndefined();
    expect(vp8Pixels(packet([0x11]))).toBeUndefined();
  });

  it('is looked for in any bytes without harm', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), bytes => {
        expect(() => vp8Pixels(Buffer.from(bytes))).not.toThrow();
      }),
    );
  });
});
