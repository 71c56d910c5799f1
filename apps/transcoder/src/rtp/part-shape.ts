import type { PictureSize } from '@rtms/bitstream';
import { mostRecordedSpans, type CodecName, type RecordedSpan } from '@rtms/contracts';
import { isKeyframe, type FeedCodecs, type TimedFrame } from './source-feed.js';

/** The streams of a recorded part. Parts of the same shape can be joined without encoding. */
export interface PartShape {
  video?: {
    codec: Exclude<CodecName, 'opus'>;
    size: PictureSize;
    /** The CodecPrivate of copied video, base64. */
    setup?: string;
  };
  hasAudio: boolean;
}

/** VP8 is encoded to H264 during the recording, because players do not support VP8 in MP4. Other codecs are copied. */
export function isCopied(codec: CodecName): boolean {
  return codec !== 'vp8';
}

/** `firstSize` is the size of the recording's first part. All encoded parts get this size. */
export function shapeOf(codecs: FeedCodecs, first: TimedFrame, firstSize: PictureSize | undefined): PartShape {
  const hasAudio = codecs.audio !== undefined;
  if (!codecs.video || !isKeyframe(first)) return { hasAudio };
  const { codec } = codecs.video;
  if (!isCopied(codec)) return { hasAudio, video: { codec: 'h264', size: firstSize ?? evenSize(first.size) } };
  const setup = first.codecPrivate?.toString('base64');
  return { hasAudio, video: { codec, size: first.size, ...(setup !== undefined && { setup }) } };
}

/** Whether this keyframe needs a new part. */
export function breaksShape({ video }: PartShape, isCopy: boolean, frame: TimedFrame): boolean {
  if (!video || !isCopy || !isKeyframe(frame)) return false;
  const setup = frame.codecPrivate?.toString('base64');
  return !isSameSize(video.size, frame.size) || (setup !== undefined && setup !== video.setup);
}

/** How parts are joined. `encode` encodes the video to H264; audio is always copied. */
export type JoinPlan = { kind: 'copy' } | { kind: 'encode'; size: PictureSize };

/** Copies parts of the same shape; otherwise encodes all parts in the size of the largest one. */
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

function isSameSize(one: PictureSize, other: PictureSize): boolean {
  return one.width === other.width && one.height === other.height;
}

export function area({ width, height }: PictureSize): number {
  return width * height;
}

/** H264 in 4:2:0 requires even sides. */
function evenSize({ width, height }: PictureSize): PictureSize {
  return { width: width + (width % 2), height: height + (height % 2) };
}

/** A part that begins so much earlier or later than the media before it ends continues that media. */
const smallestGapMs = 20;
/** Files whose length differs more from that of their parts were joined in another way than we think. */
const mostDifferenceSeconds = 0.5;

/**
 * Returns when the media of joined parts was recorded; undefined if that is not known for each part. Parts follow each other in the file.
 * Parts that also followed each other in time are one span, so that a source that changes its size has few.
 */
export function spansOf(
  parts: readonly { startedAt?: string | undefined; seconds: number }[],
  durationSeconds: number,
): RecordedSpan[] | undefined {
  const spans: RecordedSpan[] = [];
  for (const { startedAt, seconds } of parts) {
    if (startedAt === undefined) return undefined;
    const last = spans.at(-1);
    const endMs = last && Date.parse(last.startedAt) + last.seconds * 1000;
    const continues = endMs !== undefined && Math.abs(Date.parse(startedAt) - endMs) <= smallestGapMs;
    if (last && continues) last.seconds += seconds;
    else spans.push({ startedAt, seconds });
  }
  const sum = spans.reduce((total, { seconds }) => total + seconds, 0);
  return spans.length > mostRecordedSpans || Math.abs(sum - durationSeconds) > mostDifferenceSeconds
    ? undefined
    : spans;
}
