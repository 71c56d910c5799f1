import type { MediaKind } from '@rtms/contracts';
import type { OrderedPacket } from '../rtp/reordering-buffer.js';

export interface FrameSize {
  width: number;
  height: number;
}

/** One whole frame of a codec, as a Matroska block carries it. */
export interface EncodedFrame {
  kind: MediaKind;
  data: Buffer;
  keyframe: boolean;
  /** Of the frame's packets. */
  rtpTimestamp: number;
  /** ms; when its first packet came in. */
  receivedAt: number;
  /** Stands at every video keyframe. */
  size?: FrameSize;
  /** The Matroska CodecPrivate that decodes from here on; stands at keyframes of codecs that have one. */
  codecPrivate?: Buffer;
}

export interface DepacketizerOutput {
  frames: EncodedFrame[];
  /** A frame could not be put together: pictures are wrong until the next keyframe. */
  damaged: boolean;
}

/** Puts one codec's frames together from packets in order; keeps what it needs in between. */
export interface Depacketizer {
  push(packet: OrderedPacket): DepacketizerOutput;
}
