import type { OrderedPacket } from '../rtp/reordering-buffer.js';
import type { Depacketizer, DepacketizerOutput } from './frame.js';

/** RFC 7587: one packet is one frame. */
export class OpusDepacketizer implements Depacketizer {
  push({ packet, receivedAt }: OrderedPacket): DepacketizerOutput {
    const { payload: data, timestamp: rtpTimestamp } = packet;
    if (data.length === 0) return { frames: [], damaged: false };
    return { frames: [{ kind: 'audio', data, keyframe: true, rtpTimestamp, receivedAt }], damaged: false };
  }
}

/** ms of one Opus frame by the configuration number of its first byte (RFC 6716, table 2). */
function frameDurationMs(configuration: number): number {
  if (configuration < 12) return [10, 20, 40, 60][configuration % 4]!;
  if (configuration < 16) return [10, 20][configuration % 2]!;
  return [2.5, 5, 10, 20][configuration % 4]!;
}

/** ms that an Opus packet lasts (RFC 6716, 3.1); 0 when it can't be read. */
export function opusDurationMs(packet: Buffer): number {
  const first = packet[0];
  if (first === undefined) return 0;
  const frames = [1, 2, 2, (packet[1] ?? 0) & 0x3f][first & 3]!;
  return frames * frameDurationMs(first >> 3);
}
