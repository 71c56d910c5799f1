/** Sequence numbers are 16 bits. */
const modulus = 0x1_0000;
/** A packet that is further back than this belongs to a stream that began again. */
const longestReordering = 1_000;

/** Counts the packets, losses and frames of one received RTP stream (RFC 3550, appendix A.3). */
export class ReceivedStream {
  packets = 0;
  bytes = 0;
  /** Frames whose last packet came. */
  frames = 0;
  #expected = 0;
  /** @type {number | undefined} */
  #last;

  /** @param {Buffer} packet */
  add(packet) {
    const sequenceNumber = packet.readUInt16BE(2);
    const ahead = this.#last === undefined ? 1 : (sequenceNumber - this.#last + modulus) % modulus;
    const isLate = ahead === 0 || ahead > modulus - longestReordering;
    if (!isLate) {
      this.#last = sequenceNumber;
      this.#expected += ahead < modulus / 2 ? ahead : 1;
    }
    this.packets += 1;
    this.bytes += packet.length;
    if (isMarked(packet)) this.frames += 1;
  }

  /** Packets that did not come. Repeated ones can hide some. */
  get lost() {
    return Math.max(0, this.#expected - this.packets);
  }

  get expected() {
    return Math.max(this.#expected, this.packets);
  }
}

/** The last packet of a frame has the marker bit (RFC 6184, 5.1). @param {Buffer} packet */
export function isMarked(packet) {
  return ((packet[1] ?? 0) & 0x80) !== 0;
}

/** The payload of an RTP packet without extension and padding (RFC 3550, 5.1). @param {Buffer} packet */
export function payloadOf(packet) {
  const [first = 0] = packet;
  let start = 12 + 4 * (first & 0x0f);
  if (first & 0x10 && packet.length >= start + 4) start += 4 + 4 * packet.readUInt16BE(start + 2);
  const padding = first & 0x20 ? (packet.at(-1) ?? 0) : 0;
  return packet.subarray(Math.min(start, packet.length), Math.max(start, packet.length - padding));
}
