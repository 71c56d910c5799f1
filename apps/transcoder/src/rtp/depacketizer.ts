import {
  isVp8Keyframe,
  parseVp8Payload,
  parseVp9Payload,
  vp8KeyframeSize,
  vp9KeyframeSize,
  type Vp8Payload,
  type Vp9Payload,
} from '@rtms/bitstream';
import type { CodecName } from '@rtms/contracts';
import { av1Format } from './av1.js';
import { FrameAssembler, type Depacketizer, type FrameFormat } from './frame-assembler.js';
import { H264Format } from './h264.js';

/** `parameters` are the codec's `a=fmtp`. */
export function createDepacketizer(codec: CodecName, parameters: Record<string, string | number>): Depacketizer {
  switch (codec) {
    case 'opus':
      return opusDepacketizer;
    case 'h264':
      return new FrameAssembler(new H264Format(String(parameters['sprop-parameter-sets'] ?? '')));
    case 'vp8':
      return new FrameAssembler(vp8Format);
    case 'vp9':
      return new FrameAssembler(vp9Format);
    case 'av1':
      return new FrameAssembler(av1Format);
  }
}

/** RFC 7587: one packet is one frame. */
const opusDepacketizer: Depacketizer = {
  push({ packet: { payload: data, timestamp: rtpTimestamp }, receivedAt }) {
    if (data.length === 0) return { frames: [], damaged: false };
    return { frames: [{ kind: 'audio', data, keyframe: true, rtpTimestamp, receivedAt }], damaged: false };
  },
};

/** RFC 7741. */
const vp8Format: FrameFormat<Vp8Payload> = {
  parse: parseVp8Payload,
  isStart: part => part.start,
  join(parts) {
    if (!parts[0]?.start) return undefined;
    const data = Buffer.concat(parts.map(part => part.data));
    if (!isVp8Keyframe(data)) return { data, keyframe: false };
    const size = vp8KeyframeSize(data);
    return size && { data, keyframe: true, size };
  },
};

/** RFC 9628. */
const vp9Format: FrameFormat<Vp9Payload> = {
  parse: parseVp9Payload,
  isStart: part => part.start,
  join(parts) {
    if (!parts[0]?.start) return undefined;
    const data = Buffer.concat(parts.map(part => part.data));
    const size = vp9KeyframeSize(data);
    return size ? { data, keyframe: true, size } : { data, keyframe: false };
  },
};

/** ms of one Opus frame by the configuration number of its first byte (RFC 6716, table 2). */
function frameDurationMs(configuration: number): number {
  if (configuration < 12) return [10, 20, 40, 60][configuration % 4]!;
  if (configuration < 16) return [10, 20][configuration % 2]!;
  return [2.5, 5, 10, 20][configuration % 4]!;
}

/** Returns the duration of an Opus packet in ms (RFC 6716, 3.1), or 0 for an unreadable packet. */
export function opusDurationMs(packet: Buffer): number {
  const first = packet[0];
  if (first === undefined) return 0;
  const frames = [1, 2, 2, (packet[1] ?? 0) & 0x3f][first & 3]!;
  return frames * frameDurationMs(first >> 3);
}
