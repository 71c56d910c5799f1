import {
  nalTypes,
  nalUnitStarts,
  nalUnitType,
  parseH264Payload,
  parseRtpPacket,
  parseSliceStart,
} from '@rtms/bitstream';
import type { HealthCode, RtpCodec } from '@rtms/contracts';
import { decodesProfile, h264ProfileOf } from '../codecs.js';

/** Longest acceptable keyframe interval: HLS segments and late viewers wait for the next keyframe. */
const longestKeyframeSeconds = 4;

/** Time for a publisher to answer a keyframe request. */
const keyframeAnswerMs = 2_000;

/** Share of lost packets in one window from which viewers see the loss. */
const highLossFraction = 0.05;

/** Properties of an H264 stream, as far as its RTP packets have shown them. */
export interface H264Findings {
  /** profile_idc, constraint flags and level_idc of the SPS, in the form of `profile-level-id`. */
  profileLevelID?: string;
  bFrames: boolean;
  /** Pictures so far. Encoders with several threads split a picture into slices. */
  pictures: number;
}

/** Returns the findings including one more RTP packet. */
export function inspectH264(datagram: Buffer, findings: H264Findings): H264Findings {
  const packet = parseRtpPacket(datagram);
  const part = packet && parseH264Payload(packet.payload);
  if (!part) return findings;
  const result = { ...findings };
  for (const unit of nalUnitStarts(part)) {
    if (nalUnitType(unit) === nalTypes.sps && unit.length >= 4) result.profileLevelID = unit.toString('hex', 1, 4);
    const slice = parseSliceStart(unit);
    if (slice?.beginsPicture) result.pictures += 1;
    if (slice?.isB) result.bFrames = true;
  }
  return result;
}

export function isProfileMismatch(negotiated: RtpCodec, streamProfileLevelID: string): boolean {
  if (h264ProfileOf(negotiated.parameters['profile-level-id']) === undefined) return false;
  const stream = { ...negotiated, parameters: { 'profile-level-id': streamProfileLevelID } };
  return !decodesProfile(negotiated, stream);
}

/** Whether the offer supports keyframe requests (RFC 4585 PLI, RFC 5104 FIR). */
export function canRequestKeyframes(offered: RtpCodec): boolean {
  return offered.rtcpFeedback.some(({ parameter }) => parameter === 'pli' || parameter === 'fir');
}

/**
 * Measures the keyframe interval of one video track. Browsers send keyframes only on request, so a long interval alone is
 * no fault. The meter asks for one request, and reports a fault only if no keyframe follows.
 */
export class KeyframeMeter {
  private lastAt: number | undefined;
  private lastRtpTimestamp: number | undefined;
  private requestedAt: number | undefined;
  private answersRequests = false;
  intervalSeconds: number | undefined;

  constructor(private readonly requestable: boolean) {}

  /** Call for each packet of a keyframe. Packets of one frame have the same RTP timestamp. */
  onKeyframe(at: number, rtpTimestamp: number): void {
    if (rtpTimestamp === this.lastRtpTimestamp) return;
    if (this.lastAt !== undefined) this.intervalSeconds = (at - this.lastAt) / 1000;
    if (this.requestedAt !== undefined && at - this.requestedAt <= keyframeAnswerMs) this.answersRequests = true;
    this.lastAt = at;
    this.lastRtpTimestamp = rtpTimestamp;
    this.requestedAt = undefined;
  }

  onRequest(at: number): void {
    this.requestedAt ??= at;
  }

  /** Whether to send a keyframe request now, to test the publisher. */
  shouldProbe(now: number): boolean {
    return this.requestable && !this.answersRequests && this.requestedAt === undefined && this.isLong(now);
  }

  isTooLong(now: number): boolean {
    if (this.answersRequests || !this.isLong(now)) return false;
    if (!this.requestable) return true;
    return this.requestedAt !== undefined && now - this.requestedAt > keyframeAnswerMs;
  }

  private isLong(now: number): boolean {
    const waiting = this.lastAt === undefined ? 0 : (now - this.lastAt) / 1000;
    return Math.max(this.intervalSeconds ?? 0, waiting) > longestKeyframeSeconds;
  }
}

export interface ReceptionCounters {
  packetCount: number;
  /** Lost packets minus retransmitted ones, as in RTCP receiver reports. */
  packetsLost: number;
}

/** The packet loss over the last samples. */
export class LossMeter {
  private readonly samples: ReceptionCounters[] = [];

  constructor(private readonly window: number) {}

  add(sample: ReceptionCounters): void {
    this.samples.push(sample);
    if (this.samples.length > this.window) this.samples.shift();
  }

  isHigh(): boolean {
    const [first, last] = [this.samples[0], this.samples.at(-1)];
    if (!first || !last || this.samples.length < this.window) return false;
    const [received, lost] = [last.packetCount - first.packetCount, last.packetsLost - first.packetsLost];
    return lost > 0 && lost / (received + lost) > highLossFraction;
  }
}

/** Whether both lists have the same codes. */
export function sameHealth(a: readonly HealthCode[], b: readonly HealthCode[]): boolean {
  return a.length === b.length && a.every(code => b.includes(code));
}
