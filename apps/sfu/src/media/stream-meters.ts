/** Payload of an Opus packet that holds silence or nothing (RFC 6716 section 3.1: a table of contents and hardly more). */
const silentPayloadBytes = 8;
const rtpHeaderBytes = 12;
/** What clients put into header extensions, where they have any. */
const extensionBytes = 16;

/** Below this level, in dBov, nobody hears anything: rooms and microphones are noisier, digital silence is -127. */
const audibleLevel = -90;

interface AudioSample {
  at: number;
  packetCount: number;
  byteCount: number;
}

/**
 * Finds that an audio track has held only silence, or nothing, for a while. Judged are the audio levels that the
 * publisher sends (RFC 6464); where it sends none, the size of its packets, which is telling for encoders with a
 * variable bit rate, as most are: those with a constant one fill their packets up, and are silent unnoticed.
 */
export class SilenceMeter {
  private readonly samples: AudioSample[] = [];
  private readonly silentBytes: number;
  private level: { at: number; audibleAt: number } | undefined;

  constructor(
    hasExtensions: boolean,
    private readonly windowMs = 10_000,
  ) {
    this.silentBytes = rtpHeaderBytes + silentPayloadBytes + (hasExtensions ? extensionBytes : 0);
  }

  add(sample: AudioSample): void {
    this.samples.push(sample);
    while ((this.samples[1]?.at ?? Infinity) <= sample.at - this.windowMs) this.samples.shift();
  }

  /** A level that the publisher sent, in dBov. */
  addLevel(at: number, dBov: number): void {
    const audibleAt = dBov >= audibleLevel ? at : (this.level?.audibleAt ?? at);
    this.level = { at, audibleAt };
  }

  isSilent(): boolean {
    const [first, last] = [this.samples[0], this.samples.at(-1)];
    if (!first || !last) return false;
    if (this.level && last.at - this.level.at < this.windowMs) return last.at - this.level.audibleAt >= this.windowMs;
    if (last.at - first.at < this.windowMs) return false;
    const packets = last.packetCount - first.packetCount;
    return packets === 0 || (last.byteCount - first.byteCount) / packets <= this.silentBytes;
  }
}

const driftWindowMs = 10_000;

/** Encoders' clocks differ by parts of a thousand; what differs by so much cannot be played in time. */
const highestDrift = 0.05;

interface ClockSample {
  at: number;
  rtpTimestamp: number;
}

/** Compares how fast RTP timestamps go with the time that passes here. */
export class ClockMeter {
  private readonly samples: ClockSample[] = [];

  constructor(private readonly clockRate: number) {}

  /** A packet whose timestamp is known. */
  add(at: number, rtpTimestamp: number): void {
    this.samples.push({ at, rtpTimestamp });
    while ((this.samples[1]?.at ?? Infinity) <= at - driftWindowMs) this.samples.shift();
  }

  /**
   * Judges over at least half the window, since a single packet may come late; and by what most steps in it say, since
   * the timestamps of a publisher that paused may have stood still meanwhile.
   */
  isDrifting(): boolean {
    const [first, last] = [this.samples[0], this.samples.at(-1)];
    if (!first || !last || last.at - first.at < driftWindowMs / 2) return false;
    return Math.min(this.driftBetween(first, last), this.typicalDrift()) > highestDrift;
  }

  private typicalDrift(): number {
    const steps = this.samples
      .slice(1)
      .map((sample, index) => this.driftBetween(this.samples[index] ?? sample, sample));
    return steps.sort((a, b) => a - b)[Math.floor(steps.length / 2)] ?? 0;
  }

  private driftBetween(from: ClockSample, to: ClockSample): number {
    const passed = (to.at - from.at) / 1000;
    // The difference as a signed number of 32 bits: timestamps wrap around.
    const progress = ((to.rtpTimestamp - from.rtpTimestamp) | 0) / this.clockRate;
    return passed > 0 ? Math.abs(progress - passed) / passed : 0;
  }
}
