import fc from 'fast-check';
import { pictureSizeOfPayload } from './payload-picture-size.js';

const joined = (...parts: (Buffer | number[])[]): Buffer => Buffer.concat(parts.map(part => Buffer.from(part)));
const bytes = (hex: string): Buffer => Buffer.from(hex, 'hex');

describe('the size of an H264 stream', () => {
  const h264Size = (...payload: (Buffer | number[])[]) => pictureSizeOfPayload('video/H264', joined(...payload));
  /** Sequence parameter sets that x264 writes. */
  const baseline = bytes('6742c01ed900a02ff97011000003000100000300320f162e48');

  it.each([
    ['of the baseline profile', baseline.toString('hex'), [640, 360]],
    ['of the high profile, cropped', '67640028acd940780227e5c044000003000400000300c83c60c658', [1920, 1080]],
    ['of an uncommon size', '6764000dacd94150878888c044000003000400000300c83c50a658', [322, 242]],
    ['of fields', '6764001eacd940b424fde022000003000200000300643e28532c', [720, 568]],
    ['of 4:4:4', '67f4001e919b281405ff1380880000030008000003019078b16cb0', [640, 360]],
  ])('is read of a stream %s', (_, hex, [width, height]) => {
    expect(h264Size(bytes(hex))).toEqual({ width, height });
  });

  it('is read where several units share a packet', () => {
    expect(h264Size([0x18, 0, baseline.length], baseline)).toEqual({ width: 640, height: 360 });
  });

  it('is read where its unit begins in a fragment', () => {
    expect(h264Size([0x7c, 0x87], baseline.subarray(1))).toEqual({ width: 640, height: 360 });
  });

  it('is not in a packet of a picture, nor in a parameter set that is cut short', () => {
    expect(h264Size([0x65, 0x88, 0x84, 0])).toBeUndefined();
    expect(h264Size(baseline.subarray(0, 6))).toBeUndefined();
    expect(h264Size([0x18, 0, baseline.length + 1], baseline)).toBeUndefined();
    expect(h264Size([0x7c, 0x07], baseline.subarray(1))).toBeUndefined();
  });

  it('is looked for in any bytes without harm', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), any => {
        const size = h264Size([0x67], Buffer.from(any));
        return size === undefined || (size.width > 0 && size.height > 0);
      }),
    );
  });
});

describe('the size of a VP8 stream', () => {
  const keyframe = bytes('0000009d012a80026801');

  it('is that of a keyframe, where it begins', () => {
    expect(pictureSizeOfPayload('video/VP8', joined([0x10], keyframe))).toEqual({ width: 640, height: 360 });
    expect(pictureSizeOfPayload('video/VP8', joined([0x00], keyframe))).toBeUndefined();
  });
});

describe('the size of a VP9 stream', () => {
  const vp9Size = (...payload: (Buffer | number[])[]) => pictureSizeOfPayload('video/VP9', joined(...payload));
  /** The beginnings of frames that libvpx writes, 640 wide and 360 high. */
  const keyframe = bytes('824983420027f0167000');
  const interFrame = bytes('864983420027f0167000');
  /** Of three layers, up to 1280 x 720. */
  const structure = [0x50, 0x01, 0x40, 0x00, 0xb4, 0x02, 0x80, 0x01, 0x68, 0x05, 0x00, 0x02, 0xd0];

  it.each([
    ['a descriptor of one byte', [0x08]],
    ['a picture id of one byte', [0x88, 0x05]],
    ['a picture id of two bytes, layers and a picture index', [0xa8, 0x85, 0x01, 0x00, 0x07]],
    ['a picture id, layers and references, in flexible mode', [0xf8, 0x85, 0x01, 0x00, 0x03, 0x02]],
    ['a scalability structure with a picture group only', [0x8a, 0x05, 0x08, 0x02, 0x10, 0x04, 0x01]],
  ])('is that of a keyframe behind %s', (_case, descriptor) => {
    expect(vp9Size(descriptor, keyframe)).toEqual({ width: 640, height: 360 });
  });

  it('is that of a keyframe of 4:4:4', () => {
    expect(vp9Size([0x88, 0x05], bytes('a2498342e027f0167606'))).toEqual({ width: 640, height: 360 });
  });

  it('is that of the largest spatial layer where the packet names them', () => {
    expect(vp9Size([0x8a, 0x05], structure, keyframe)).toEqual({ width: 1280, height: 720 });
    expect(vp9Size([0xca, 0x05], structure, interFrame)).toEqual({ width: 1280, height: 720 });
  });

  it('is not in other frames, in the middle of one, nor in a packet that is cut short', () => {
    expect(vp9Size([0x88, 0x05], interFrame)).toBeUndefined();
    expect(vp9Size([0x80, 0x05], keyframe)).toBeUndefined();
    expect(vp9Size([0x88, 0x05], keyframe.subarray(0, 7))).toBeUndefined();
    expect(vp9Size([0x8a, 0x05], structure)).toBeUndefined();
    expect(vp9Size([0x8a, 0x05], structure.slice(0, 8))).toBeUndefined();
  });
});

describe('the size of an AV1 stream', () => {
  const av1Size = (...payload: (Buffer | number[])[]) => pictureSizeOfPayload('video/AV1', joined(...payload));
  /** A sequence header of SVT-AV1, 640 wide and 360 high, without a size field as RTP has it. */
  const sequence = bytes('080000000cc4ff673efe4010');
  const frame = [0x30, 0x11, 0x22, 0x33];

  it.each([
    ['the only element of its packet', [0x10], sequence, []],
    ['one of two elements', [0x28, sequence.length], sequence, frame],
    ['an element among those that are not counted', [0x08, sequence.length], sequence, [frame.length, ...frame]],
    ['before a frame that goes on in the next packet', [0x68, sequence.length], sequence, frame],
  ])('is in a sequence header that is %s', (_case, aggregation, first, rest) => {
    expect(av1Size(aggregation, first, rest)).toEqual({ width: 640, height: 360 });
  });

  it('is in a sequence header of 4:4:4', () => {
    // Of libaom.
    const size = av1Size([0x10], bytes('082000002d4cffb3ccaf92021a0040'));
    expect(size).toEqual({ width: 1280, height: 720 });
  });

  it('is in a sequence header with a size field and an extension', () => {
    const sized = [sequence[0]! | 0x06, 0x00, sequence.length - 1];
    expect(av1Size([0x10], sized, sequence.subarray(1))).toEqual({ width: 640, height: 360 });
  });

  it('is not in other units, in parts of one, nor in a packet that is cut short', () => {
    expect(av1Size([0x10], frame)).toBeUndefined();
    expect(av1Size([0x90], sequence)).toBeUndefined();
    expect(av1Size([0x50], sequence)).toBeUndefined();
    expect(av1Size([0x10], sequence.subarray(0, 5))).toBeUndefined();
    expect(av1Size([0x28, sequence.length + 1], sequence)).toBeUndefined();
  });
});

describe('the size of a stream of any codec', () => {
  const codecs = ['video/H264', 'video/VP8', 'video/VP9', 'video/AV1', 'video/none'] as const;
  /** Beginnings of payloads: a parameter set, keyframes, a sequence header. */
  const starts = ['', '67640028', '10000000009d012a', '0a821049834200', '88058249834200', '100a', '2810'].map(bytes);

  it.each(codecs)('is looked for in any bytes without harm: %s', codec => {
    fc.assert(
      fc.property(fc.constantFrom(...starts), fc.uint8Array({ maxLength: 80 }), (start, any) => {
        const size = pictureSizeOfPayload(codec, joined(start, Buffer.from(any)));
        if (!size) return true;
        return [size.width, size.height].every(length => Number.isInteger(length) && length > 0 && length <= 65_536);
      }),
      { numRuns: 2_000 },
    );
  });
});
