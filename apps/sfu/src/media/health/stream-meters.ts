import { parseRtpPacket, type PictureSize, pictureSizeOfPayload } from '@rtms/bitstream';

/** Largest payload, in bytes, of a silent Opus packet: a table of contents and little more (RFC 6716 section 3.1). */
const silentPayloadBytes = 8;
const rtpHeaderBytes = 12;
/** Bytes of header extensions in a packet, if the client uses them. */
const extensionBytes = 16;

/** Silence threshold in dBov. Rooms and microphones are louder, digital silence is -127. */
const audibleLevel = -90;

interface AudioSample {
  at: number;
  packetCount: number;
  byteCount: number;
}

/**
 * Detects an audio track that is silent. Uses the audio levels that the publisher sends (RFC 6464), else the size of the
 * packets. The size works for encoders with a variable bit rate; silence with a constant bit rate is not detected.
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

  /** Adds an audio level of the publisher, in dBov. */
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

/** Encoder clocks differ by less than 0.1 %. A stream with a larger difference cannot be played in time. */
const highestDrift = 0.05;

interface ClockSample {
  at: number;
  rtpTimestamp: number;
}

/** Compares the speed of RTP timestamps with the local clock. */
export class ClockMeter {
  private readonly samples: ClockSample[] = [];

  constructor(private readonly clockRate: number) {}

  /** Adds the timestamp of a packet. */
  add(at: number, rtpTimestamp: number): void {
    this.samples.push({ at, rtpTimestamp });
    while ((this.samples[1]?.at ?? Infinity) <= at - driftWindowMs) this.samples.shift();
  }

  /**
   * Needs at least half the window, because a single packet may arrive late. Takes the majority of the steps, because the
   * timestamps of a paused publisher stop.
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
    // A signed 32-bit difference, because timestamps wrap around.
    const progress = ((to.rtpTimestamp - from.rtpTimestamp) | 0) / this.clockRate;
    return passed > 0 ? Math.abs(progress - passed) / passed : 0;
  }
}

/** Picture size in pixels and frames per second; null if unknown. */
export interface Picture {
  width: number | null;
  height: number | null;
  frameRate: number | null;
}

export const unknownPicture: Picture = { width: null, height: null, frameRate: null };

/** Measures picture size and frame rate from the packets of one stream. */
export class PictureMeter {
  private readonly timestamps = new Set<number>();
  private size: PictureSize | undefined;
  private since: number | undefined;

  constructor(private readonly mimeType: string) {}

  add(datagram: Buffer, at: number): void {
    const packet = parseRtpPacket(datagram);
    if (!packet) return;
    this.since ??= at;
    // Packets of one picture have the same timestamp.
    this.timestamps.add(packet.timestamp);
    this.size = pictureSizeOfPayload(this.mimeType, packet.payload) ?? this.size;
  }

  /** Takes the size from `former` if no packet showed it: only keyframes contain the size. */
  picture(until: number, former: Picture = unknownPicture): Picture {
    const seconds = (until - (this.since ?? until)) / 1000;
    // The first picture arrived at the start, so it does not count.
    const frameRate = seconds > 0 ? Math.round(((this.timestamps.size - 1) / seconds) * 10) / 10 : null;
    const { width, height } = this.size ?? former;
    return { width, height, frameRate };
  }
}

/** A screen that does not change has a second between pictures, plus a sweep of half a second. */
const shortestStallMs = 2_000;

/** Sums the gaps between packets, see `PublishedTrack.stalledMs`. */
export class StallMeter {
  private receivedAt: number | undefined;
  private total = 0;

  /** Packets have arrived until now. */
  note(at: number): void {
    this.total += this.gapUntil(at);
    this.receivedAt = at;
  }

  /** The track is paused or has been resumed: the gap before does not count. */
  forgive(at: number): void {
    if (this.receivedAt !== undefined) this.receivedAt = at;
  }

  totalUntil(now: number): number {
    return this.total + this.gapUntil(now);
  }

  private gapUntil(at: number): number {
    const gap = at - (this.receivedAt ?? at);
    return gap >= shortestStallMs ? gap : 0;
  }
}
