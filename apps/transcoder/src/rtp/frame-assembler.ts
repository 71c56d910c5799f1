import type { PictureSize } from '@rtms/bitstream';
import type { MediaKind } from '@rtms/contracts';
import type { OrderedPacket } from './reordering-buffer.js';

/** One encoded frame in the format of a Matroska block. */
export interface EncodedFrame {
  kind: MediaKind;
  data: Buffer;
  keyframe: boolean;
  /** RTP timestamp of the frame's packets. */
  rtpTimestamp: number;
  /** Arrival time of the first packet, ms since 1970. */
  receivedAt: number;
  /** Present at every video keyframe. */
  size?: PictureSize;
  /** The Matroska CodecPrivate from this frame on. Present at keyframes of codecs that have one. */
  codecPrivate?: Buffer;
}

export interface DepacketizerOutput {
  frames: EncodedFrame[];
  /** A frame is missing: pictures are wrong until the next keyframe. */
  damaged: boolean;
}

/** Assembles the frames of one codec from ordered packets. */
export interface Depacketizer {
  push(packet: OrderedPacket): DepacketizerOutput;
}

export type JoinedFrame = Pick<EncodedFrame, 'data' | 'keyframe' | 'size' | 'codecPrivate'>;

/** How one codec makes a frame of its packets. */
export interface FrameFormat<Part> {
  /** Parses a payload; undefined if it is malformed. */
  parse(payload: Buffer): Part | undefined;
  /** Whether a frame can start with this part. Called only after packet loss. */
  isStart(part: Part): boolean;
  /** Joins the parts of a frame; undefined if they do not make one. */
  join(parts: Part[]): JoinedFrame | undefined;
}

interface OpenFrame<Part> {
  rtpTimestamp: number;
  receivedAt: number;
  parts: Part[];
  damaged: boolean;
}

/**
 * Assembles video frames. Packets of one timestamp are a frame, which ends with the marker bit or the next timestamp. A frame
 * with a missing packet is dropped, because decoders conceal a missing frame better than a broken one.
 */
export class FrameAssembler<Part> implements Depacketizer {
  private open: OpenFrame<Part> | undefined;

  constructor(private readonly format: FrameFormat<Part>) {}

  push({ packet, lostBefore, receivedAt }: OrderedPacket): DepacketizerOutput {
    const output: DepacketizerOutput = { frames: [], damaged: lostBefore > 0 };
    if (this.open && lostBefore > 0) this.open.damaged = true;
    if (this.open && this.open.rtpTimestamp !== packet.timestamp) this.finish(output);
    // A padding-only packet continues the sequence but carries no media.
    if (packet.payload.length > 0) this.add(packet.payload, packet.timestamp, receivedAt, lostBefore);
    if (packet.marker && this.open) this.finish(output);
    return output;
  }

  private add(payload: Buffer, rtpTimestamp: number, receivedAt: number, lostBefore: number): void {
    const part = this.format.parse(payload);
    this.open ??= {
      rtpTimestamp,
      receivedAt,
      parts: [],
      damaged: lostBefore > 0 && (part === undefined || !this.format.isStart(part)),
    };
    if (part === undefined) this.open.damaged = true;
    else this.open.parts.push(part);
  }

  private finish(output: DepacketizerOutput): void {
    const { damaged, parts, rtpTimestamp, receivedAt } = this.open!;
    this.open = undefined;
    const frame = damaged ? undefined : this.format.join(parts);
    if (frame) output.frames.push({ kind: 'video', rtpTimestamp, receivedAt, ...frame });
    else output.damaged = true;
  }
}
