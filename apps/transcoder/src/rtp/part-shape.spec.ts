import type { TimedFrame } from './source-feed.js';
import { breaksShape, planJoin, shapeOf, spansOf, type PartShape } from './part-shape.js';

const hd = { width: 1280, height: 720 };
const sd = { width: 640, height: 360 };
const odd = { width: 321, height: 181 };
const setup = Buffer.from('setup');

function keyframe(size: { width: number; height: number }, codecPrivate?: Buffer): TimedFrame {
  const frame = { kind: 'video' as const, data: Buffer.alloc(0), keyframe: true, rtpTimestamp: 0, receivedAt: 0 };
  return { ...frame, timeMs: 0, size, ...(codecPrivate && { codecPrivate }) };
}

const h264 = (size: typeof hd, setupText = 'a'): PartShape => ({
  hasAudio: true,
  video: { codec: 'h264', size, setup: setupText },
});
const vp9 = (size: typeof hd): PartShape => ({ hasAudio: true, video: { codec: 'vp9', size } });
const sound: PartShape = { hasAudio: true };

describe('the shape of a part', () => {
  it.each(['h264', 'vp9', 'av1'] as const)('of %s has the codec and size of the source', codec => {
    const shape = shapeOf({ video: { codec }, audio: { channels: 2 } }, keyframe(hd, setup), sd);
    expect(shape).toEqual({ hasAudio: true, video: { codec, size: hd, setup: setup.toString('base64') } });
  });

  it.each([
    ['its own size, with even sides, in the first part', undefined, { width: 322, height: 182 }],
    ['the first part’s size in the others', sd, sd],
  ])('of vp8 is H264 of %s', (_case, firstSize, size) => {
    expect(shapeOf({ video: { codec: 'vp8' } }, keyframe(odd), firstSize)).toEqual({
      hasAudio: false,
      video: { codec: 'h264', size },
    });
  });

  it('of audio has no video', () => {
    const frame = { kind: 'audio' as const, data: Buffer.alloc(0), keyframe: true, rtpTimestamp: 0, receivedAt: 0 };
    expect(shapeOf({ audio: { channels: 1 } }, { ...frame, timeMs: 0 }, undefined)).toEqual(sound);
  });

  it.each([
    ['a keyframe of the same size', true, keyframe(hd, setup), false],
    ['a keyframe of another size', true, keyframe(sd, setup), true],
    ['a keyframe with another decoder setup', true, keyframe(hd, Buffer.from('other')), true],
    ['another size of what is encoded', false, keyframe(sd), false],
  ])('is broken or not by %s', (_case, isCopy, frame, expected) => {
    const shape = { hasAudio: true, video: { codec: 'h264' as const, size: hd, setup: setup.toString('base64') } };
    expect(breaksShape(shape, isCopy, frame)).toBe(expected);
  });
});

describe('planJoin', () => {
  it.each<[string, PartShape[], ReturnType<typeof planJoin>]>([
    ['one part', [h264(hd)], { kind: 'copy' }],
    ['parts that are alike', [h264(hd), h264(hd)], { kind: 'copy' }],
    ['sound', [sound, sound], { kind: 'copy' }],
    ['parts of two sizes', [h264(sd), h264(hd)], { kind: 'encode', size: hd }],
    ['parts of two decoder setups', [h264(sd, 'a'), h264(sd, 'b')], { kind: 'encode', size: sd }],
    ['parts of two codecs', [vp9(sd), h264(sd)], { kind: 'encode', size: sd }],
    [
      'parts with odd sides',
      [vp9(odd), vp9(sd), vp9({ width: 1281, height: 721 })],
      { kind: 'encode', size: { width: 1282, height: 722 } },
    ],
  ])('of %s', (_case, parts, plan) => {
    expect(planJoin(parts)).toEqual(plan);
  });
});

describe('spansOf', () => {
  const at = (ms: number) => new Date(Date.UTC(2026, 10, 26) + ms).toISOString();
  const part = (startMs: number, seconds: number) => ({ startedAt: at(startMs), seconds });

  it.each([
    ['one part', 4, [part(0, 4)], [part(0, 4)]],
    ['a part after a gap', 6, [part(0, 4), part(9_000, 2)], [part(0, 4), part(9_000, 2)]],
    ['a part that continues the one before', 6, [part(0, 4), part(4_015, 2)], [part(0, 6)]],
    ['a part of an older node', 6, [part(0, 4), { seconds: 2 }], undefined],
    ['parts that the file does not have', 6, [part(0, 4), part(9_000, 3)], undefined],
    ['too many parts', 6, Array.from({ length: 1_001 }, (_, i) => part(i * 100, 0.006)), undefined],
  ])('of %s', (_case, fileSeconds, parts, spans) => {
    expect(spansOf(parts, fileSeconds)).toEqual(spans);
  });

  it('never moves media by more than 20 ms, however many parts continue each other', () => {
    const parts = Array.from({ length: 10 }, (_, i) => part(i * 1_010, 1));
    expect(spansOf(parts, 10)?.map(({ seconds }) => seconds)).toEqual([3, 3, 3, 1]);
  });
});
