import type { HealthCode } from '@rtms/contracts';
import { decodesProfile, h264ProfileOf } from './match-codec.js';
import type { RtpCodec } from './rtp-parameters.js';

/** HLS segments and late viewers wait for the next keyframe, so it may not be further away than this. */
const longestKeyframeSeconds = 4;

/** How long a publisher may take to answer a keyframe request. */
const keyframeAnswerMs = 2_000;

/** Packets lost of those sent, over one window, that viewers will see. */
const highLossFraction = 0.05;

export function isProfileMismatch(negotiated: RtpCodec, streamProfileLevelID: string): boolean {
  if (h264ProfileOf(negotiated.parameters['profile-level-id']) === undefined) return false;
  const stream = { ...negotiated, parameters: { 'profile-level-id': streamProfileLevelID } };
  return !decodesProfile(negotiated, stream);
}

/** True when the offer lets a receiver ask for a keyframe (RFC 4585 PLI, RFC 5104 FIR). */
export function canRequestKeyframes(offered: RtpCodec): boolean {
  return offered.rtcpFeedback.some(({ parameter }) => parameter === 'pli' || parameter === 'fir');
}

/**
 * Keyframe intervals of one video track. A long interval is no fault of an encoder that answers requests (browsers send
 * keyframes only when asked), so such a one is asked once, and only silence counts against it.
 */
export class KeyframeMeter {
  private lastAt: number | undefined;
  private lastRtpTimestamp: number | undefined;
  private requestedAt: number | undefined;
  private answersRequests = false;
  intervalSeconds: number | undefined;

  constructor(private readonly requestable: boolean) {}

  /** A packet of a keyframe; packets of one frame share their RTP timestamp. */
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

  /** True when it is time to find out whether the publisher answers a request. */
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
  /** Net of retransmissions, as in RTCP receiver reports. */
  packetsLost: number;
}

/** Loss over the last so many samples. */
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

/** Equal when nothing that listeners hear of has changed. */
export function sameHealth(a: readonly HealthCode[], b: readonly HealthCode[]): boolean {
  return a.length === b.length && a.every(code => b.includes(code));
}
