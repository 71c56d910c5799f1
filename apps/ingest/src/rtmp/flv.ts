import { messageTypes, type RtmpMessage } from './chunk-stream.js';

/** The header of an FLV file with audio and video, and the size of no tag before the first one. */
export const flvHeader = Buffer.from([0x46, 0x4c, 0x56, 1, 5, 0, 0, 0, 9, 0, 0, 0, 0]);

/** Writes an audio, video or data message of RTMP as a tag of FLV. */
export function flvTag({ type, timestamp, payload }: RtmpMessage): Buffer {
  const tag = Buffer.alloc(11 + payload.length + 4);
  tag[0] = type;
  tag.writeUIntBE(payload.length, 1, 3);
  tag.writeUIntBE(timestamp & 0xffffff, 4, 3);
  tag[7] = timestamp >>> 24;
  payload.copy(tag, 11);
  tag.writeUInt32BE(11 + payload.length, 11 + payload.length);
  return tag;
}

/** Numbers of codecs in FLV (Adobe FLV 10.1, annex E.4): what FFmpeg decodes. */
const audioFormats = new Set([0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 11]);
const videoFormats = new Set([2, 3, 4, 5, 7]);
/** Enhanced RTMP marks its video packets with this bit. FFmpeg before 6.1 cannot read them. */
const enhancedVideo = 0x80;

/** Whether the first byte of an audio or video message names a codec that FFmpeg can read. */
export function hasKnownCodec({ type, payload }: RtmpMessage): boolean {
  const [first] = payload;
  if (first === undefined) return true;
  if (type === messageTypes.audio) return audioFormats.has(first >> 4);
  if (type === messageTypes.video) return (first & enhancedVideo) === 0 && videoFormats.has(first & 0x0f);
  return true;
}
