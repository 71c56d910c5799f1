import type { types } from 'mediasoup';
import type { Clock } from '@rtms/clock';
import type { HealthCode } from '@rtms/contracts';
import type { H264Findings } from '../h264-bitstream.js';
import type { RtpCodec } from '../rtp-parameters.js';
import {
  canRequestKeyframes,
  isProfileMismatch,
  KeyframeMeter,
  LossMeter,
  sameHealth,
  type ReceptionCounters,
} from '../stream-health.js';
import { ClockMeter, SilenceMeter } from '../stream-meters.js';
import { AudioProbe, tracedPacket } from './audio-probe.js';
import { StreamProbe } from './stream-probe.js';

/** An H264 stream shows its parameters with the first keyframe, which is asked for. */
const inspectionMs = 10_000;

/**
 * Encoders are set up anew while they publish, so streams are looked at again: soon where something was wrong, seldom
 * where all was well, since each look may cost a keyframe.
 */
const nextInspectionMs = { faulty: 3_000, sound: 30_000 };

/** Samples, at two a second. Receivers' reports, by which loss is counted, come every 5 s for audio. */
const lossWindow = { audio: 30, video: 10 };

const audioTimestampMs = 1_000;

/** Watches one producer and says what is wrong with it. */
export class TrackHealth {
  codes: HealthCode[] = [];
  private readonly probe: StreamProbe;
  private readonly keyframes: KeyframeMeter;
  private readonly loss: LossMeter;
  private readonly audio: AudioProbe;
  private readonly streamClock: ClockMeter;
  private readonly silence: SilenceMeter;
  private readonly isVideo: boolean;
  private readonly requestable: boolean;
  private readonly isH264: boolean;
  private bitstream: readonly HealthCode[] = [];
  private nextInspectionAt = Infinity;
  private nextTimestampAt = 0;
  private keyframeSsrc: number | undefined;
  private closed = false;

  constructor(
    router: types.Router,
    producer: types.Producer,
    private readonly codec: RtpCodec,
    private readonly clock: Clock,
    private readonly onChange: (codes: HealthCode[], keyframeIntervalSeconds?: number) => void,
  ) {
    this.isVideo = producer.kind === 'video';
    this.streamClock = new ClockMeter(codec.clockRate);
    this.silence = new SilenceMeter((producer.rtpParameters.headerExtensions ?? []).length > 0);
    this.loss = new LossMeter(lossWindow[producer.kind]);
    this.audio = new AudioProbe(router, producer, {
      onLevel: level => this.silence.addLevel(this.clock.now(), level),
      onTimestamp: timestamp => this.streamClock.add(this.clock.now(), timestamp),
    });
    this.isH264 = codec.mimeType.toLowerCase() === 'video/h264';
    this.requestable = canRequestKeyframes(codec);
    this.keyframes = new KeyframeMeter(this.requestable);
    this.probe = new StreamProbe(router, producer, codec, clock);
  }

  get keyframeIntervalSeconds(): number | undefined {
    return this.keyframes.intervalSeconds;
  }

  async requestKeyframe(): Promise<void> {
    if (!this.isVideo || !this.requestable || this.closed) return;
    this.keyframes.onRequest(this.clock.now());
    await this.whileOpen(this.probe.requestKeyframe());
  }

  onFirstPacket(): void {
    if (this.isH264) this.inspectSoon();
    // What cannot be looked at is forwarded all the same.
    if (!this.isVideo) void this.audio.openLevels().catch(() => undefined);
    this.update();
  }

  onKeyframe(event: types.ProducerTraceEventData): void {
    const { ssrc, timestamp } = tracedPacket(event.info);
    // Each layer of simulcast has keyframes of its own; one layer's are enough to judge by.
    this.keyframeSsrc ??= ssrc;
    if (ssrc !== this.keyframeSsrc || timestamp === undefined) return;
    const now = this.clock.now();
    this.keyframes.onKeyframe(now, timestamp);
    this.streamClock.add(now, timestamp);
  }

  async sweep(counters: ReceptionCounters & { byteCount: number }): Promise<void> {
    const now = this.clock.now();
    this.silence.add({ at: now, packetCount: counters.packetCount, byteCount: counters.byteCount });
    this.loss.add({ packetCount: counters.packetCount, packetsLost: counters.packetsLost });
    this.update();
    if (now >= this.nextInspectionAt) this.inspectSoon();
    if (!this.isVideo) this.timeAudio(now);
    else if (this.keyframes.shouldProbe(now)) await this.requestKeyframe();
  }

  close(): void {
    this.closed = true;
    this.probe.close();
    this.audio.close();
  }

  private timeAudio(now: number): void {
    if (now < this.nextTimestampAt) return;
    this.nextTimestampAt = now + audioTimestampMs;
    this.audio.askForTimestamp();
  }

  private inspectSoon(): void {
    this.nextInspectionAt = Infinity;
    void this.inspect().catch(() => undefined);
  }

  private async inspect(): Promise<void> {
    const findings = await this.whileOpen(this.probe.inspect(inspectionMs));
    if (!findings || this.closed) return;
    if (findings.profileLevelID !== undefined) this.bitstream = this.codesOf(findings, findings.profileLevelID);
    const { faulty, sound } = nextInspectionMs;
    this.nextInspectionAt = this.clock.now() + (this.bitstream.length > 0 ? faulty : sound);
    this.update();
  }

  private codesOf({ bFrames }: H264Findings, profileLevelID: string): HealthCode[] {
    const codes: HealthCode[] = bFrames ? ['b_frames'] : [];
    return isProfileMismatch(this.codec, profileLevelID) ? [...codes, 'profile_mismatch'] : codes;
  }

  private update(): void {
    const codes: HealthCode[] = [...this.bitstream];
    if (this.isVideo && !this.requestable) codes.push('no_keyframe_requests');
    if (this.isVideo && this.keyframes.isTooLong(this.clock.now())) codes.push('long_keyframe_interval');
    if (!this.isVideo && this.silence.isSilent()) codes.push('silence');
    if (this.streamClock.isDrifting()) codes.push('clock_drift');
    if (this.loss.isHigh()) codes.push('high_loss');
    if (sameHealth(codes, this.codes)) return;
    this.codes = codes;
    this.onChange(codes, this.keyframeIntervalSeconds);
  }

  /** What the probe began may be cut off by the end of the track or its worker. */
  private async whileOpen<T>(work: Promise<T>): Promise<T | undefined> {
    try {
      return await work;
    } catch (error) {
      if (this.closed) return undefined;
      throw error;
    }
  }
}
