/** Payload of an Opus packet that holds silence or nothing (RFC 6716 section 3.1: a table of contents and hardly more). */
const silentPayloadBytes = 8;
const rtpHeaderBytes = 12;
/** What clients put into header extensions, where they have any. */
const extensionBytes = 16;

interface AudioSample {
  at: number;
  packetCount: number;
  byteCount: number;
}

/** Finds that an audio track has held only silence, or nothing, for a while; by the size of its packets. */
export class SilenceMeter {
  private readonly samples: AudioSample[] = [];
  private readonly silentBytes: number;

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

  isSilent(): boolean {
    const [first, last] = [this.samples[0], this.samples.at(-1)];
    if (!first || !last || last.at - first.at < this.windowMs) return false;
    const packets = last.packetCount - first.packetCount;
    return packets === 0 || (last.byteCount - first.byteCount) / packets <= this.silentBytes;
  }
}

const driftWindowMs = 10_000;

/** Encoders' clocks differ by parts of a thousand; what differs by so much cannot be played in time. */
const highestDrift = 0.05;

/** Compares how fast RTP timestamps go with the time that passes here. */
export class ClockMeter {
  private readonly samples: { at: number; rtpTimestamp: number }[] = [];

  constructor(private readonly clockRate: number) {}

  /** A packet or sender report whose timestamp is known. */
  add(at: number, rtpTimestamp: number): void {
    this.samples.push({ at, rtpTimestamp });
    while ((this.samples[1]?.at ?? Infinity) <= at - driftWindowMs) this.samples.shift();
  }

  /** Judges over at least half the window, since a single packet may come late. */
  isDrifting(): boolean {
    const [first, last] = [this.samples[0], this.samples.at(-1)];
    if (!first || !last || last.at - first.at < driftWindowMs / 2) return false;
    const passed = (last.at - first.at) / 1000;
    // The difference as a signed number of 32 bits: timestamps wrap around.
    const progress = ((last.rtpTimestamp - first.rtpTimestamp) | 0) / this.clockRate;
    return Math.abs(progress - passed) / passed > highestDrift;
  }
}
