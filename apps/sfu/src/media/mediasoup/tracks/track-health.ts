import type { types } from 'mediasoup';
import type { Clock } from '@rtms/clock';
import type { HealthCode, RtpCodec } from '@rtms/contracts';
import {
  canRequestKeyframes,
  type H264Findings,
  inspectH264,
  isProfileMismatch,
  KeyframeMeter,
  LossMeter,
  type ReceptionCounters,
  sameHealth,
} from '../../health/stream-health.js';
import { ClockMeter, SilenceMeter } from '../../health/stream-meters.js';
import { AudioProbe, tracedPacket } from './audio-levels.js';
import { PacketTap } from './track-probes.js';

/** Time for the keyframe that contains the parameters of an H264 stream. */
const inspectionMs = 10_000;

/**
 * Encoders may change their settings while they publish, so streams are inspected again. Each inspection may cost a
 * keyframe, so sound streams are inspected seldom.
 */
const nextInspectionMs = { faulty: 3_000, sound: 30_000 };

/** Samples, two per second. The RTCP reports that count loss come every 5 s for audio. */
const lossWindow = { audio: 30, video: 10 };

const audioTimestampMs = 1_000;

/** Finds the health codes of one producer. */
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
    this.probe = new StreamProbe(new PacketTap(router, producer, codec), clock);
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
    // Without levels, the size of the packets decides.
    if (!this.isVideo) void this.audio.openLevels().catch(() => undefined);
    this.update();
  }

  onKeyframe(event: types.ProducerTraceEventData): void {
    const { ssrc, timestamp } = tracedPacket(event.info);
    // Each simulcast layer has its own keyframes. Measure one layer.
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

  /** Ignores a rejection after the track or its worker has ended. */
  private async whileOpen<T>(work: Promise<T>): Promise<T | undefined> {
    try {
      return await work;
    } catch (error) {
      if (this.closed) return undefined;
      throw error;
    }
  }
}

/** Two seconds of video: long enough to contain a B-frame if the encoder uses B-frames. */
const picturesToSee = 60;

/** Requests keyframes and inspects packets through a consumer that is paused most of the time. */
class StreamProbe {
  private opened: Promise<types.Consumer> | undefined;
  private inspecting = false;

  constructor(
    private readonly tap: PacketTap,
    private readonly clock: Clock,
  ) {}

  /** Resumes the consumer, which makes the worker request a keyframe, at most once per request delay. */
  async requestKeyframe(): Promise<void> {
    const consumer = await this.open();
    if (this.inspecting) return consumer.requestKeyFrame();
    await consumer.resume();
    await consumer.pause();
  }

  /** Reads an H264 stream until its parameters are known, for at most `timeoutMs`. */
  async inspect(timeoutMs: number): Promise<H264Findings> {
    const consumer = await this.open();
    this.inspecting = true;
    const findings = new Promise<H264Findings>(resolve => this.collect(consumer, timeoutMs, resolve));
    await consumer.resume();
    const result = await findings;
    this.inspecting = false;
    if (!consumer.closed) await consumer.pause();
    return result;
  }

  close(): void {
    this.tap.close();
  }

  private collect(consumer: types.Consumer, timeoutMs: number, resolve: (findings: H264Findings) => void): void {
    let findings: H264Findings = { bFrames: false, pictures: 0 };
    const finish = (): void => {
      timer.cancel();
      consumer.off('rtp', onPacket);
      consumer.observer.off('close', finish);
      resolve(findings);
    };
    const onPacket = (packet: Buffer): void => {
      findings = inspectH264(packet, findings);
      if (findings.profileLevelID && (findings.bFrames || findings.pictures >= picturesToSee)) finish();
    };
    const timer = this.clock.after(timeoutMs, finish);
    consumer.on('rtp', onPacket);
    consumer.observer.once('close', finish);
  }

  private open(): Promise<types.Consumer> {
    this.opened ??= this.tap.open({ enableRtx: false, paused: true });
    return this.opened;
  }
}
