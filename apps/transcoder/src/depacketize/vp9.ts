import { parseVp9Payload, vp9KeyframeSize, type Vp9Payload } from '@rtms/bitstream';
import type { OrderedPacket } from '../rtp/reordering-buffer.js';
import { FrameAssembler } from './frame-assembler.js';
import type { Depacketizer, DepacketizerOutput } from './frame.js';

/** RFC 9628. */
export class Vp9Depacketizer implements Depacketizer {
  private readonly assembler = new FrameAssembler<Vp9Payload>({
    parse: parseVp9Payload,
    isStart: part => part.start,
    join,
  });

  push(packet: OrderedPacket): DepacketizerOutput {
    return this.assembler.push(packet);
  }
}

function join(parts: Vp9Payload[]) {
  if (!parts[0]?.start) return undefined;
  const data = Buffer.concat(parts.map(part => part.data));
  const size = vp9KeyframeSize(data);
  return size ? { data, keyframe: true, size } : { data, keyframe: false };
}
