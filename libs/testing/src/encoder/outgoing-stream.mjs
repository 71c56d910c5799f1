/**
 * One stream of an encoder whose settings change. Each change starts another FFmpeg, which numbers its packets from a
 * random start. This class renumbers the packets to one continuous stream.
 */
export class OutgoingStream {
  /** @type {number | undefined} */
  #run;
  #offset = 0;
  #sequenceNumber = 0;
  #last = { timestamp: 0, at: 0 };

  /** @param {{ ssrc: number, clockRate: number }} numbers */
  constructor({ ssrc, clockRate }) {
    this.ssrc = ssrc;
    this.clockRate = clockRate;
  }

  /**
   * Returns the packet with the numbers of the stream.
   * @param {Buffer} packet
   * @param {number} now
   */
  next(packet, now) {
    const [timestamp, run] = [packet.readUInt32BE(4), packet.readUInt32BE(8)];
    if (run !== this.#run) this.#offset = this.#continued(now) - timestamp;
    this.#run = run;
    this.#last = { timestamp: (timestamp + this.#offset) >>> 0, at: now };
    const numbered = Buffer.from(packet);
    numbered.writeUInt16BE(this.#sequenceNumber++ & 0xffff, 2);
    numbered.writeUInt32BE(this.#last.timestamp, 4);
    numbered.writeUInt32BE(this.ssrc, 8);
    return numbered;
  }

  /**
   * Returns the timestamp for media that begins now.
   * @param {number} now
   */
  #continued(now) {
    if (this.#run === undefined) return 0;
    return this.#last.timestamp + Math.round(((now - this.#last.at) * this.clockRate) / 1000);
  }
}
