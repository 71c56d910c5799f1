import type { types } from 'mediasoup';
import type { HealthCode } from '@rtms/contracts';
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
import { StreamProbe } from './stream-probe.js';

/** An H264 stream shows its parameters with the first keyframe, which is asked for. */
const inspectionMs = 10_000;

interface TracedPacket {
  ssrc?: number;
  timestamp?: number;
}

/** Watches one producer and says what is wrong with it. */
export class TrackHealth {
  codes: HealthCode[] = [];
  private readonly probe: StreamProbe;
  private readonly keyframes: KeyframeMeter;
  private readonly loss = new LossMeter();
  private readonly clock: ClockMeter;
  private readonly silence: SilenceMeter;
  private readonly isVideo: boolean;
  private readonly requestable: boolean;
  private readonly bitstream = new Set<HealthCode>();
  private keyframeSsrc: number | undefined;
  private closed = false;

  constructor(
    router: types.Router,
    producer: types.Producer,
    private readonly codec: RtpCodec,
    private readonly onChange: (codes: HealthCode[], keyframeIntervalSeconds?: number) => void,
  ) {
    this.isVideo = producer.kind === 'video';
    this.clock = new ClockMeter(codec.clockRate);
    this.silence = new SilenceMeter((producer.rtpParameters.headerExtensions ?? []).length > 0);
    this.requestable = canRequestKeyframes(codec);
    this.keyframes = new KeyframeMeter(this.requestable);
    this.probe = new StreamProbe(router, producer, codec);
  }

  get keyframeIntervalSeconds(): number | undefined {
    return this.keyframes.intervalSeconds;
  }

  async requestKeyframe(): Promise<void> {
    if (!this.isVideo || !this.requestable || this.closed) return;
    this.keyframes.onRequest(Date.now());
    await this.whileOpen(this.probe.requestKeyframe());
  }

  onFirstPacket(): void {
    if (this.codec.mimeType.toLowerCase() === 'video/h264') void this.inspect().catch(() => undefined); // A stream that cannot be looked at is forwarded all the same.
    this.update();
  }

  onKeyframe(event: types.ProducerTraceEventData): void {
    const info = event.info as { rtpPacket?: TracedPacket } & TracedPacket;
    const { ssrc, timestamp } = info.rtpPacket ?? info;
    // Each layer of simulcast has keyframes of its own; one layer's are enough to judge by.
    this.keyframeSsrc ??= ssrc;
    if (ssrc !== this.keyframeSsrc || timestamp === undefined) return;
    this.keyframes.onKeyframe(Date.now(), timestamp);
    this.clock.add(Date.now(), timestamp);
  }

  async sweep(counters: ReceptionCounters & { byteCount: number }): Promise<void> {
    this.silence.add({ at: Date.now(), packetCount: counters.packetCount, byteCount: counters.byteCount });
    this.loss.add({ packetCount: counters.packetCount, packetsLost: counters.packetsLost });
    this.update();
    if (this.isVideo && this.keyframes.shouldProbe(Date.now())) await this.requestKeyframe();
  }

  close(): void {
    this.closed = true;
    this.probe.close();
  }

  private async inspect(): Promise<void> {
    const findings = await this.whileOpen(this.probe.inspect(inspectionMs));
    if (!findings || this.closed) return;
    if (findings.bFrames) this.bitstream.add('b_frames');
    const { profileLevelID } = findings;
    if (profileLevelID && isProfileMismatch(this.codec, profileLevelID)) this.bitstream.add('profile_mismatch');
    this.update();
  }

  private update(): void {
    const codes: HealthCode[] = [...this.bitstream];
    if (this.isVideo && !this.requestable) codes.push('no_keyframe_requests');
    if (this.isVideo && this.keyframes.isTooLong(Date.now())) codes.push('long_keyframe_interval');
    if (!this.isVideo && this.silence.isSilent()) codes.push('silence');
    if (this.clock.isDrifting()) codes.push('clock_drift');
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
