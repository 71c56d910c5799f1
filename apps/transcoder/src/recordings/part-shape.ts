import type { CodecName } from '@rtms/contracts';
import type { FrameSize } from '../depacketize/frame.js';
import { isKeyframe, type FeedCodecs, type TimedFrame } from '../jobs/source-feed.js';

/** What a part of a recording has in it: parts of one shape can follow each other in one file as they are. */
export interface PartShape {
  video?: {
    codec: Exclude<CodecName, 'opus'>;
    size: FrameSize;
    /** What the decoder is set up with, base64; only of what was copied. */
    setup?: string;
  };
  hasAudio: boolean;
}

/** MP4 has no VP8 that players know; it is encoded to H264 while it comes in. */
export function isCopied(codec: CodecName): boolean {
  return codec !== 'vp8';
}

/** `firstSize`: of the recording's first part, whose size all encoded parts have. */
export function shapeOf(codecs: FeedCodecs, first: TimedFrame, firstSize: FrameSize | undefined): PartShape {
  const hasAudio = codecs.audio !== undefined;
  if (!codecs.video || !isKeyframe(first)) return { hasAudio };
  const { codec } = codecs.video;
  if (!isCopied(codec)) return { hasAudio, video: { codec: 'h264', size: firstSize ?? evenSize(first.size) } };
  const setup = first.codecPrivate?.toString('base64');
  return { hasAudio, video: { codec, size: first.size, ...(setup !== undefined && { setup }) } };
}

/** Whether what begins with this keyframe can't go on in a part of this shape. */
export function breaksShape({ video }: PartShape, isCopy: boolean, frame: TimedFrame): boolean {
  if (!video || !isCopy || !isKeyframe(frame)) return false;
  const setup = frame.codecPrivate?.toString('base64');
  return !isSameSize(video.size, frame.size) || (setup !== undefined && setup !== video.setup);
}

/** How parts become one file. `encode`: the picture anew, in H264; the sound is copied always. */
export type JoinPlan = { kind: 'copy' } | { kind: 'encode'; size: FrameSize };

/** Parts that are alike are joined as they are; else all get the size of the largest one. */
export function planJoin(parts: readonly PartShape[]): JoinPlan {
  const pictures = parts.flatMap(part => part.video ?? []);
  const [first] = pictures;
  const isAlike = pictures.every(each => isSameVideo(each, first));
  if (!first || isAlike) return { kind: 'copy' };
  const sizes = pictures.map(each => each.size);
  const largest = sizes.reduce((one, other) => (area(other) > area(one) ? other : one));
  return { kind: 'encode', size: evenSize(largest) };
}

function isSameVideo(one: NonNullable<PartShape['video']>, other: PartShape['video']): boolean {
  return !!other && one.codec === other.codec && isSameSize(one.size, other.size) && one.setup === other.setup;
}

function isSameSize(one: FrameSize, other: FrameSize): boolean {
  return one.width === other.width && one.height === other.height;
}

export function area({ width, height }: FrameSize): number {
  return width * height;
}

/** H264 in 4:2:0 has even sides. */
function evenSize({ width, height }: FrameSize): FrameSize {
  return { width: width + (width % 2), height: height + (height % 2) };
}
