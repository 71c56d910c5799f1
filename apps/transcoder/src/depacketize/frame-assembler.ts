import type { OrderedPacket } from '../rtp/reordering-buffer.js';
import type { DepacketizerOutput, EncodedFrame } from './frame.js';

/** What one codec does with the packets of a frame. */
export interface FrameFormat<Part> {
  /** The packet's part of a frame; undefined when the payload can't be read. */
  parse(payload: Buffer): Part | undefined;
  /** Whether a frame can begin with this part; asked only after loss. */
  isStart(part: Part): boolean;
  /** The whole frame; undefined when the parts don't make one. */
  join(parts: Part[]): Pick<EncodedFrame, 'data' | 'keyframe' | 'size' | 'codecPrivate'> | undefined;
}

interface OpenFrame<Part> {
  rtpTimestamp: number;
  receivedAt: number;
  parts: Part[];
  damaged: boolean;
}

/**
 * The part that all video codecs share: packets of one timestamp are a frame, which ends with the marker
 * or the next timestamp. A frame with a missing packet is dropped whole; decoders conceal that better
 * than a broken one.
 */
export class FrameAssembler<Part> {
  private open: OpenFrame<Part> | undefined;

  constructor(private readonly format: FrameFormat<Part>) {}

  push({ packet, lostBefore, receivedAt }: OrderedPacket): DepacketizerOutput {
    const output: DepacketizerOutput = { frames: [], damaged: lostBefore > 0 };
    if (this.open && lostBefore > 0) this.open.damaged = true;
    if (this.open && this.open.rtpTimestamp !== packet.timestamp) this.finish(output);
    // A packet of padding only: it keeps the sequence whole and carries nothing.
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
