import { randomBytes } from 'node:crypto';
import type { types } from 'mediasoup';
import type {
  HealthCode,
  MediaKind,
  RtpCodec,
  RtpParameters,
  TrackArrival,
  TrackReception,
  TrackState,
} from '@rtms/contracts';
import type { Clock } from '@rtms/clock';
import { closedError, type PublishedTrack, whileOpen } from '../../media-engine.js';
import { Ending, Listeners } from '../../listeners.js';
import { StallMeter } from '../../health/stream-meters.js';
import { arrivalOf, LayerWatch, PictureProbe, receptionOf } from './track-probes.js';
import { TrackHealth } from './track-health.js';
import { toProducerParameters } from './rtp-mapping.js';

export class MediasoupTrack implements PublishedTrack {
  readonly trackID: string;
  private receivedAt: number | undefined;
  /** Whether `onReceiving` listeners have been called. They are called once the order of the layers is known. */
  private isTold = false;
  private layers: LayerWatch | undefined;
  private packetCount = 0;
  /** Opened with the first packet: before it, there is nothing to measure. */
  private openedHealth: TrackHealth | undefined;
  private picture: PictureProbe | undefined;
  private readonly stalls = new StallMeter();
  private readonly receiving = new Listeners<[]>();
  private readonly ending = new Ending();
  private readonly healthChange = new Listeners<[HealthCode[], number?]>();

  private constructor(
    private options: TrackOptions,
    private producer: types.Producer,
    private candidate: number,
  ) {
    this.trackID = options.trackID ?? `trk_${randomBytes(15).toString('base64url')}`;
    this.trace();
    this.watchLayers();
  }

  static async publish(options: TrackOptions): Promise<MediasoupTrack> {
    return new MediasoupTrack(options, await produce(options, 0), 0);
  }

  get kind(): MediaKind {
    return this.options.kind;
  }

  get codec(): RtpCodec {
    const codec = this.options.candidates[this.candidate];
    if (!codec) throw new Error('A track has at least one codec.');
    return codec;
  }

  private get isObserved(): boolean {
    return this.options.isObserved ?? true;
  }

  get closed(): boolean {
    return this.ending.isOver;
  }

  get state(): TrackState {
    if (this.closed) return 'ended';
    return this.producer.paused ? 'paused' : 'live';
  }

  onEnded(listener: () => void): () => void {
    return this.ending.add(listener);
  }

  /** True until it is known which of several offered codecs the publisher sends. */
  get isUnsettled(): boolean {
    return this.receivedAt === undefined && this.options.candidates.length > 1;
  }

  get encodingIDs(): string[] {
    return this.options.offer.encodings.flatMap(({ rid }) => rid ?? []);
  }

  onReceiving(listener: () => void): void {
    if (this.isTold) listener();
    else this.receiving.add(listener);
  }

  lastReceivedAt(): number | undefined {
    return this.receivedAt;
  }

  async pause(): Promise<void> {
    if (!this.closed) await this.producer.pause();
  }

  async resume(): Promise<void> {
    this.stalls.forgive(this.options.clock.now());
    if (!this.closed) await this.producer.resume();
  }

  stalledMs(): number {
    const { clock } = this.options;
    if (this.state === 'paused') this.stalls.forgive(clock.now());
    return this.stalls.totalUntil(clock.now());
  }

  async arrival(): Promise<TrackArrival> {
    if (this.closed) throw closedError();
    return arrivalOf(await whileOpen(this.producer.getStats(), this.producer));
  }

  async requestKeyframe(): Promise<void> {
    if (!this.closed) await this.health.requestKeyframe();
  }

  async reception({ isPassive = false } = {}): Promise<TrackReception> {
    if (this.closed) throw closedError();
    const { producer } = this;
    this.picture ??= new PictureProbe(this.options.router, producer, this.codec, this.options.clock);
    const picture = isPassive ? this.picture.last : this.picture.look();
    const stats = await whileOpen(producer.getStats(), producer);
    return { ...receptionOf(stats, this.codec.clockRate), ...picture };
  }

  onHealthChange(listener: (health: HealthCode[], keyframeIntervalSeconds?: number) => void): void {
    this.healthChange.add(listener);
    const { codes = [], keyframeIntervalSeconds } = this.openedHealth ?? {};
    if (codes.length > 0) listener(codes, keyframeIntervalSeconds);
  }

  /** Creates a paused consumer of this track on `transport`. */
  async consumeOn(
    transport: types.Transport,
    options: Pick<types.ConsumerOptions, 'rtpCapabilities' | 'mid' | 'enableRtx'>,
  ): Promise<types.Consumer> {
    return this.consumed(producerId => transport.consume({ producerId, paused: true, ...options }));
  }

  /** Creates a consumer with all layers on a pipe to another node. */
  async sendThrough(pipe: types.PipeTransport): Promise<types.Consumer> {
    return this.consumed(producerId => pipe.consume({ producerId }));
  }

  /** Copies this track to another router. The copy pauses and closes with this track. */
  async pipeTo(router: types.Router, listenInfo: types.TransportListenInfo): Promise<types.Producer> {
    if (this.closed) throw closedError();
    const { producer } = this;
    const options = { producerId: producer.id, router, keepId: false, enableSctp: false, listenInfo };
    const { pipeProducer } = await whileOpen(this.options.router.pipeToRouter(options), producer, router);
    if (!pipeProducer) throw closedError();
    return pipeProducer;
  }

  async listenBy(observer: types.RtpObserver): Promise<void> {
    if (!this.closed) await observer.addProducer({ producerId: this.producer.id });
  }

  isMadeBy(producer: types.Producer): boolean {
    return this.producer === producer;
  }

  /** Reads the worker's counters. Called every 500 ms. */
  async sweep(): Promise<void> {
    if (this.ending.isOver) return;
    const stats = await this.producer.getStats();
    if (this.closed || stats.length === 0) return;
    const packetCount = stats.reduce((sum, stream) => sum + stream.packetCount, 0);
    const packetsLost = stats.reduce((sum, stream) => sum + stream.packetsLost, 0);
    await this.settleLayers(stats);
    if (packetCount !== this.packetCount) this.onPackets();
    this.packetCount = packetCount;
    const byteCount = stats.reduce((sum, stream) => sum + stream.byteCount, 0);
    if (this.isObserved && this.state !== 'ended') await this.health.sweep({ packetCount, packetsLost, byteCount });
  }

  private watchLayers(): void {
    this.layers?.close();
    this.layers = undefined;
    // mediasoup-client lists the layers in ascending order.
    const isOrdered = this.options.rtpParameters !== undefined || this.encodingIDs.length < 2;
    if (this.isTold || isOrdered) return;
    this.layers = new LayerWatch(this.options.router, this.producer, this.codec, this.encodingIDs);
  }

  /** The worker needs the layers in ascending order, which only the streams show. */
  private async settleLayers(stats: types.ProducerStat[]): Promise<void> {
    const order = this.layers?.settle(stats, this.options.clock.now());
    if (!order || order.join() === this.encodingIDs.join()) return;
    const encodings = order.map(rid => ({ rid }));
    this.options = { ...this.options, offer: { ...this.options.offer, encodings } };
    await this.renew();
  }

  /** Tries the next offered codec, because the arriving packets are not of the current one. */
  async tryNextCodec(): Promise<void> {
    if (this.closed || !this.isUnsettled) return;
    this.candidate = (this.candidate + 1) % this.options.candidates.length;
    await this.renew();
    this.watchLayers();
  }

  private async renew(): Promise<void> {
    this.end();
    this.producer = await produce(this.options, this.candidate);
    this.trace();
    if (this.closed) this.end();
  }

  async close(): Promise<void> {
    this.closeNow();
  }

  closeNow(): void {
    this.ending.run(() => this.end());
  }

  /** Closes the consumer of a track that ends while the consumer is created. */
  private async consumed(consume: (producerId: string) => Promise<types.Consumer>): Promise<types.Consumer> {
    if (this.closed) throw closedError();
    const consumer = await consume(this.producer.id);
    if (!this.ending.isOver) return consumer;
    consumer.close();
    throw closedError();
  }

  private end(): void {
    this.layers?.close();
    this.openedHealth?.close();
    this.openedHealth = undefined;
    this.picture?.close();
    this.picture = undefined;
    this.producer.close();
  }

  private trace(): void {
    const { producer } = this;
    producer.on('trace', event => this.onTrace(event));
    void producer.enableTraceEvent(['rtp', 'keyframe']).catch(() => undefined);
  }

  private get health(): TrackHealth {
    const { router, clock } = this.options;
    const tell = (codes: HealthCode[], interval?: number): void => this.healthChange.emit(codes, interval);
    this.openedHealth ??= new TrackHealth(router, this.producer, this.codec, clock, tell);
    return this.openedHealth;
  }

  /** Traces every packet until the first one, because waiting 500 ms for a sweep would delay `active`. */
  private onTrace(event: types.ProducerTraceEventData): void {
    if (this.receivedAt === undefined) {
      void this.producer
        .enableTraceEvent(this.kind === 'video' && this.isObserved ? ['keyframe'] : [])
        .catch(() => undefined);
      this.onPackets();
    }
    if (event.type === 'keyframe') this.health.onKeyframe(event);
  }

  private onPackets(): void {
    this.receivedAt = this.options.clock.now();
    this.stalls.note(this.receivedAt);
    if (this.isTold || this.layers?.isOpen) return;
    this.isTold = true;
    if (this.isObserved) this.health.onFirstPacket();
    this.receiving.emit();
    this.receiving.clear();
  }
}

/** The worker sends at most one keyframe request in this time, however many viewers join. */
const keyframeRequestDelayMs = 500;

interface TrackOptions {
  transport: types.Transport;
  router: types.Router;
  clock: Clock;
  kind: MediaKind;
  offer: RtpParameters;
  /** The receivable codecs of the offer. The publisher sends one of them, not always the first. */
  candidates: RtpCodec[];
  /** Producer parameters to use instead of the offer. */
  rtpParameters?: types.RtpParameters;
  /** The id of a track that another node pipes here. */
  trackID?: string;
  /** Whether to check the health of the stream. Default: true. */
  isObserved?: boolean;
}

/** Creates the producer for one of the candidates. */
async function produce(options: TrackOptions, index: number): Promise<types.Producer> {
  const { transport, kind, offer, candidates } = options;
  const codec = candidates[index];
  if (!codec) throw new Error('A track has at least one codec.');
  const rtpParameters = options.rtpParameters ?? toProducerParameters(offer, codec);
  return transport.produce({ kind, rtpParameters, keyFrameRequestDelay: keyframeRequestDelayMs });
}
