import fc from 'fast-check';
import { h264Size } from './h264-size.js';

const header = Buffer.from([0x80, 0x60, 0, 1, 0, 0, 0, 1, 0, 0, 0, 2]);
const packet = (payload: Buffer): Buffer => Buffer.concat([header, payload]);
/** Sequence parameter sets that x264 writes. */
const baseline = Buffer.from('6742c01ed900a02ff97011000003000100000300320f162e48', 'hex');

describe('the size of an H264 stream', () => {
  it.each([
    ['of the baseline profile', baseline.toString('hex'), [640, 360]],
    ['of the high profile, cropped', '67640028acd940780227e5c044000003000400000300c83c60c658', [1920, 1080]],
    ['of an uncommon size', '6764000dacd94150878888c044000003000400000300c83c50a658', [322, 242]],
    ['of fields', '6764001eacd940b424fde022000003000200000300643e28532c', [720, 568]],
    ['of 4:4:4', '67f4001e919b281405ff1380880000030008000003019078b16cb0', [640, 360]],
  ])('is read of a stream %s', (_, hex, [width, height]) => {
    expect(h264Size(packet(Buffer.from(hex, 'hex')))).toEqual({ width, height });
  });

  it('is read where several units share a packet', () => {
    const size = Buffer.from([0, baseline.length]);
    expect(h264Size(packet(Buffer.concat([Buffer.from([0x18]), size, baseline])))).toEqual({ width: 640, height: 360 });
  });

  it('is not in a packet of a picture, nor in a parameter set that is cut short', () => {
    expect(h264Size(packet(Buffer.from([0x65, 0x88, 0x84, 0])))).toBeUndefined();
    expect(h264Size(packet(baseline.subarray(0, 6)))).toBeUndefined();
  });

  it('is looked for in any bytes without harm', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), bytes => {
        const size = h264Size(packet(Buffer.concat([Buffer.from([0x67]), bytes])));
        return size === undefined || (size.width > 0 && size.height > 0);
      }),
    );
  });
});
