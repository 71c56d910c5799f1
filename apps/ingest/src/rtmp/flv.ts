import { messageTypes, type RtmpMessage } from './chunk-stream.js';

/** The header of an FLV file with audio and video, and the size of no tag before the first one. */
export const flvHeader = Buffer.from([0x46, 0x4c, 0x56, 1, 5, 0, 0, 0, 9, 0, 0, 0, 0]);

/** Audio and video of one moment come within some seconds. A greater step is a jump: FFmpeg would freeze the picture or fill the gap. */
const greatestStepMs = { forward: 10_000, back: 3_000 };

/** Writes audio, video and data messages of RTMP as tags of FLV. Their times continue when the times of the encoder jump or begin anew. */
export class FlvWriter {
  /** The greatest time of the encoder since its last jump. */
  private seen: number | undefined;
  /** The time that was written for `seen`. Above 0, because audio may begin before video. */
  private written = greatestStepMs.back;

  tag({ type, timestamp, payload }: RtmpMessage): Buffer {
    // Encoders send data with any time.
    const time = type === messageTypes.data ? this.written : this.timeOf(timestamp);
    const tag = Buffer.alloc(11 + payload.length + 4);
    tag[0] = type;
    tag.writeUIntBE(payload.length, 1, 3);
    tag.writeUIntBE(time & 0xffffff, 4, 3);
    tag[7] = time >>> 24;
    payload.copy(tag, 11);
    tag.writeUInt32BE(11 + payload.length, 11 + payload.length);
    return tag;
  }

  private timeOf(timestamp: number): number {
    // With 32 bits and a sign, because the encoder's time may pass its highest value.
    const step = this.seen === undefined ? 0 : (timestamp - this.seen) | 0;
    const isJump = step > greatestStepMs.forward || step < -greatestStepMs.back;
    if (this.seen === undefined || isJump || step > 0) this.seen = timestamp;
    if (isJump) return this.written;
    if (step < 0) return this.written + step;
    this.written += step;
    return this.written;
  }
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
