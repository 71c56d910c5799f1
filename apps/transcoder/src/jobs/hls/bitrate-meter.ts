/** Peak and mean bit rate of the segments of one rendition. */
export class BitrateMeter {
  private bits = 0;
  private seconds = 0;
  private highest = 0;

  add(byteLength: number, durationSeconds: number): void {
    this.bits += byteLength * 8;
    this.seconds += durationSeconds;
    this.highest = Math.max(this.highest, (byteLength * 8) / durationSeconds);
  }

  /** Bits a second of the largest segment (RFC 8216 section 4.3.4.2: the peak segment bit rate). */
  get peak(): number {
    return this.highest;
  }

  /** Bits a second over all segments. */
  get mean(): number {
    return this.seconds === 0 ? 0 : this.bits / this.seconds;
  }
}
