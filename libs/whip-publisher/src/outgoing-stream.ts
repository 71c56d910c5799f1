export interface StreamNumbers {
  payloadType: number;
  ssrc: number;
  /** RTP ticks per second. */
  clockRate: number;
  /** A header extension for each packet, with its profile and length. The given packets must have none. */
  extension?: Buffer;
}

const headerBytes = 12;
const hasExtension = 0x10;

/**
 * One RTP stream whose packets come from one encoder after the other. Each encoder numbers its packets from a random start and has an SSRC of
 * its own. This class renumbers the packets to one continuous stream. A packet that is left out stays missing.
 */
export class OutgoingStream {
  private encoder: { ssrc: number; sequenceOffset: number; timestampOffset: number } | undefined;
  private last = { sequenceNumber: -1, timestamp: 0, at: 0 };
  /** Packets, and bytes of payload. */
  readonly sent = { packets: 0, bytes: 0 };

  constructor(private readonly numbers: StreamNumbers) {}

  /**
   * Returns a copy of the packet with the numbers of the stream. The packet has a whole RTP header.
   * @param now in milliseconds
   */
  next(packet: Buffer, now: number): Buffer {
    const { payloadType, ssrc } = this.numbers;
    const { sequenceOffset, timestampOffset } = this.offsetsOf(packet, now);
    const sequenceNumber = (packet.readUInt16BE(2) + sequenceOffset) & 0xffff;
    const timestamp = (packet.readUInt32BE(4) + timestampOffset) >>> 0;
    this.last = { sequenceNumber, timestamp, at: now };
    this.sent.packets += 1;
    this.sent.bytes += packet.length - headerBytes;
    const numbered = this.copyOf(packet);
    numbered[1] = (packet.readUInt8(1) & 0x80) | payloadType;
    numbered.writeUInt16BE(sequenceNumber, 2);
    numbered.writeUInt32BE(timestamp, 4);
    numbered.writeUInt32BE(ssrc, 8);
    return numbered;
  }

  /** The timestamp of the stream for a timestamp of the encoder; undefined before the encoder's first packet. */
  timestampOf(encoderTimestamp: number): number | undefined {
    return this.encoder && (encoderTimestamp + this.encoder.timestampOffset) >>> 0;
  }

  private copyOf(packet: Buffer): Buffer {
    const { extension } = this.numbers;
    if (!extension) return Buffer.from(packet);
    const copy = Buffer.allocUnsafe(packet.length + extension.length);
    packet.copy(copy, 0, 0, headerBytes);
    extension.copy(copy, headerBytes);
    packet.copy(copy, headerBytes + extension.length, headerBytes);
    copy[0] = packet.readUInt8(0) | hasExtension;
    return copy;
  }

  /** The packets of another encoder follow the last packet by the time that has passed. */
  private offsetsOf(packet: Buffer, now: number): { sequenceOffset: number; timestampOffset: number } {
    const ssrc = packet.readUInt32BE(8);
    if (this.encoder?.ssrc === ssrc) return this.encoder;
    const { sequenceNumber, timestamp, at } = this.last;
    const passed = this.encoder ? Math.round(((now - at) * this.numbers.clockRate) / 1000) : 0;
    this.encoder = {
      ssrc,
      sequenceOffset: sequenceNumber + 1 - packet.readUInt16BE(2),
      timestampOffset: timestamp + passed - packet.readUInt32BE(4),
    };
    return this.encoder;
  }
}
