import { randomUUID } from 'node:crypto';
import type { Clock } from '@rtms/clock';
import type {
  HealthCode,
  MediaKind,
  RtpCodec,
  RtpParameters,
  TrackArrival,
  TrackReception,
  TrackState,
} from '@rtms/contracts';
import { Ending, Listeners } from '../listeners.js';
import { isRtx, receivedAs } from '../codecs.js';
import { StallMeter, unknownPicture } from '../health/stream-meters.js';
import { canRequestKeyframes } from '../health/stream-health.js';
import { type PublishedTrack, type PublisherTransport, unsupportedCodecError } from '../media-engine.js';
import { MemoryPeerTransport } from './memory-transport.js';

interface MemoryTrackOptions {
  clock: Clock;
  kind: MediaKind;
  codec: RtpCodec;
  /** The number of layers. Default: one spatial and one temporal layer. */
  layers?: { spatial: number; temporal: number };
  encodingIDs?: readonly string[];
  /** Default: a new one. */
  trackID?: string;
}

/** A track for tests. The test plays its RTP and health, and counts its keyframe requests. */
export class MemoryTrack implements PublishedTrack {
  paused = false;
  /** The picture of a video track. */
  picture = { width: 640, height: 360, frameRate: 30 };
  /** RTP packets received. */
  packets = 0;
  /** Packets that are lost and repaired on the way from the publisher, and its round-trip time. */
  losses = { lost: 0, repaired: 0, roundTripMs: null as number | null };
  /** The number of keyframe requests to the publisher. */
  keyframeRequests = 0;
  /** The copies on other nodes, which receive the same packets. */
  readonly copies = new Set<MemoryTrack>();
  private receivedAt: number | undefined;
  private readonly stalls = new StallMeter();
  private readonly pausing = new Listeners<[boolean]>();
  private readonly receiving = new Listeners<[]>();
  private readonly health = new Listeners<[HealthCode[], number?]>();
  private readonly ending = new Ending();

  readonly kind: MediaKind;
  readonly codec: RtpCodec;
  readonly layers: { spatial: number; temporal: number };
  readonly encodingIDs: readonly string[];
  readonly trackID: string;

  constructor(private readonly options: MemoryTrackOptions) {
    const { kind, codec, layers, encodingIDs, trackID } = options;
    this.kind = kind;
    this.codec = codec;
    this.layers = layers ?? { spatial: 1, temporal: 1 };
    this.encodingIDs = encodingIDs ?? [];
    this.trackID = trackID ?? `trk_${randomUUID()}`;
  }

  get closed(): boolean {
    return this.ending.isOver;
  }

  get state(): TrackState {
    if (this.closed) return 'ended';
    return this.paused ? 'paused' : 'live';
  }

  onReceiving(listener: () => void): void {
    if (this.receivedAt !== undefined) listener();
    else this.receiving.add(listener);
  }

  lastReceivedAt(): number | undefined {
    return this.receivedAt;
  }

  async pause(): Promise<void> {
    await this.setPaused(true);
  }

  async resume(): Promise<void> {
    await this.setPaused(false);
  }

  onPaused(listener: (paused: boolean) => void): void {
    this.pausing.add(listener);
  }

  async arrival(): Promise<TrackArrival> {
    return { packets: this.packets, ...this.losses };
  }

  stalledMs(): number {
    return this.stalls.totalUntil(this.options.clock.now());
  }

  async reception(): Promise<TrackReception> {
    const counters = { packetsReceived: this.packets, packetsLost: 0, fractionLost: 0, jitterMs: 0, roundTripMs: null };
    const picture = this.kind === 'video' ? this.picture : unknownPicture;
    return { bitrate: 8000 * this.packets, ...counters, ...picture };
  }

  async requestKeyframe(): Promise<void> {
    if (this.kind === 'video' && !this.closed && canRequestKeyframes(this.codec)) this.keyframeRequests++;
  }

  onHealthChange(listener: (health: HealthCode[], keyframeIntervalSeconds?: number) => void): void {
    this.health.add(listener);
  }

  /** The number of `onEnded` listeners. */
  get endListeners(): number {
    return this.ending.size;
  }

  onEnded(listener: () => void): () => void {
    return this.ending.add(listener);
  }

  async close(): Promise<void> {
    this.ending.run();
  }

  /** An RTP packet arrives. */
  receiveRtp(): void {
    const first = this.receivedAt === undefined;
    this.packets++;
    for (const copy of this.copies) copy.receiveRtp();
    this.receivedAt = this.options.clock.now();
    this.stalls.note(this.receivedAt);
    if (!first) return;
    this.receiving.emit();
    this.receiving.clear();
  }

  reportHealth(health: HealthCode[], keyframeIntervalSeconds?: number): void {
    this.health.emit(health, keyframeIntervalSeconds);
  }

  /** Calls the listeners first, because a media worker's notification may arrive before its reply. */
  private async setPaused(paused: boolean): Promise<void> {
    this.pausing.emit(paused);
    this.paused = paused;
  }
}

export class MemoryPublisher extends MemoryPeerTransport implements PublisherTransport {
  readonly tracks: MemoryTrack[] = [];

  constructor(
    onClosed: () => void,
    private readonly clock: Clock,
  ) {
    super(onClosed);
  }

  async publish(kind: MediaKind, rtpParameters: RtpParameters): Promise<MemoryTrack> {
    this.assertOpen();
    const codec = rtpParameters.codecs.find(offered => !isRtx(offered) && receivedAs(offered));
    if (!codec) throw unsupportedCodecError(rtpParameters.codecs);
    const encodingIDs = rtpParameters.encodings.flatMap(({ rid }) => rid ?? []);
    const layers = { spatial: Math.max(encodingIDs.length, 1), temporal: encodingIDs.length > 1 ? 3 : 1 };
    const track = new MemoryTrack({ clock: this.clock, kind, codec, layers, encodingIDs });
    this.tracks.push(track);
    return track;
  }

  /** A test sets it. Default: the publisher is always heard. */
  heardAt: number | undefined;

  lastHeardAt(): number {
    return this.heardAt ?? this.clock.now();
  }

  override async close(): Promise<void> {
    for (const track of this.tracks) await track.close();
    await super.close();
  }
}
