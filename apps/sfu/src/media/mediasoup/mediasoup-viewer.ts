import type { Clock } from '@rtms/clock';
import type { types } from 'mediasoup';
import type { MediaKind, PreferredLayers, ReceiverCapabilities, RtpParameters } from '@rtms/contracts';
import type { ConsumerBudget } from '../admission.js';
import {
  closedError,
  type MeasuredViewer,
  type PublishedTrack,
  type SentTrack,
  type ViewerTransport,
  whileOpen,
} from '../media-engine.js';
import { numbersKey, type PayloadNumbers } from '../payload-numbers.js';
import { SharedOpenings } from '../shared-openings.js';
import { MediasoupPeerTransport } from './mediasoup-transport.js';
import { isUnmeasured, limitByLoss, type LossLimit } from './tracks/loss-limit.js';
import { MediasoupTrack } from './tracks/mediasoup-track.js';
import { fromConsumerParameters, layersOfConsumer, toViewerCapabilities } from './tracks/rtp-mapping.js';
import type { PeerMeter } from './peer-meters.js';
import type { MediaWorker, WorkerRoom } from './media-worker.js';

class MediasoupSentTrack implements SentTrack {
  readonly kind: MediaKind;
  readonly rtpParameters: RtpParameters;
  started = false;
  private wish: PreferredLayers | undefined;
  private readonly limit: LossLimit | undefined;

  constructor(
    readonly trackID: string,
    readonly mid: string,
    readonly consumer: types.Consumer,
    clock: Clock,
    onClosed: () => void,
  ) {
    this.kind = consumer.kind;
    this.rtpParameters = fromConsumerParameters(consumer.rtpParameters);
    // The consumer may close meanwhile.
    const onChange = () => void this.select().catch(() => undefined);
    if (isUnmeasured(consumer)) this.limit = limitByLoss(consumer, { clock, top: this.layers.spatial - 1, onChange });
    consumer.observer.once('close', onClosed);
  }

  get layers(): SentTrack['layers'] {
    return layersOfConsumer(this.consumer);
  }

  /** Without a preference, selects the highest layers: the viewer then receives what the bandwidth allows. */
  async prefer(layers: PreferredLayers | undefined): Promise<void> {
    this.wish = layers;
    await this.select();
  }

  onLayersChange(listener: (layers: PreferredLayers | undefined) => void): void {
    this.consumer.on('layerschange', listener);
  }

  /** The worker requests a keyframe when a video consumer resumes. */
  async start(): Promise<void> {
    if (this.started || this.consumer.closed) return;
    this.started = true;
    await this.consumer.resume();
  }

  async close(): Promise<void> {
    this.consumer.close();
  }

  private async select(): Promise<void> {
    if (this.consumer.type === 'simple' || this.consumer.closed) return;
    const { spatial, temporal } = this.layers;
    const wish = this.wish ?? { spatialLayer: spatial - 1, temporalLayer: temporal - 1 };
    const spatialLayer = Math.min(wish.spatialLayer, this.limit?.highest ?? wish.spatialLayer);
    await this.consumer.setPreferredLayers({ ...wish, spatialLayer });
  }
}

/** The source of a viewer's tracks: the room's router, or an egress router. */
export interface TrackOutlet {
  /** Payload types; undefined: those of the room's router. */
  readonly numbers?: PayloadNumbers;
  /** Creates a paused consumer of the track. */
  consume(track: MediasoupTrack, transport: types.Transport, options: ConsumingOptions): Promise<types.Consumer>;
}

type ConsumingOptions = Pick<types.ConsumerOptions, 'rtpCapabilities' | 'mid'>;

export class MediasoupViewer extends MediasoupPeerTransport implements ViewerTransport {
  private readonly sent = new Set<MediasoupSentTrack>();

  constructor(
    transport: types.WebRtcTransport,
    meter: PeerMeter,
    private readonly outlet: TrackOutlet,
    private readonly budget: ConsumerBudget,
    private readonly clock: Clock,
    private readonly events: { onStarted(): void; onClosed(): void; workerUsage(): number },
  ) {
    super(transport, meter, () => events.onClosed());
  }

  async send(track: PublishedTrack, capabilities: ReceiverCapabilities): Promise<SentTrack | undefined> {
    if (!(track instanceof MediasoupTrack)) throw new TypeError('The track is of another engine.');
    const rtpCapabilities = this.capabilitiesFor(track, capabilities);
    if (!rtpCapabilities) return undefined;
    await this.replaced(capabilities)?.close();
    const { mid } = capabilities;
    const consumer = await this.consume(track, { rtpCapabilities, mid });
    const sent: MediasoupSentTrack = new MediasoupSentTrack(track.trackID, mid, consumer, this.clock, () => {
      this.sent.delete(sent);
      this.budget.reserve(-1);
    });
    this.sent.add(sent);
    return sent;
  }

  async start(): Promise<void> {
    this.meter.awaitMedia([...this.sent].map(({ consumer }) => consumer));
    await whileOpen(Promise.all([...this.sent].map(sent => sent.start())), this.transport);
    this.events.onStarted();
  }

  async measure(): Promise<MeasuredViewer | undefined> {
    const started = [...this.sent].filter(sent => sent.started);
    const sent = started.find(({ kind }) => kind === 'video') ?? started[0];
    if (!sent) return undefined;
    const { consumer, trackID } = sent;
    const { transport } = this;
    const reading = Promise.all([this.meter.sample(consumer), transport.getStats()]);
    const [stream, [own]] = await whileOpen(reading, consumer, transport);
    const { currentLayers } = consumer;
    return (
      stream &&
      own && {
        ...totalsOf(stream),
        trackID,
        layer: consumer.type === 'simple' ? null : (currentLayers?.spatialLayer ?? null),
        heardBytes: own.bytesReceived,
        workerUsage: this.events.workerUsage(),
        network: transport.iceSelectedTuple?.remoteIp ?? '',
      }
    );
  }

  private capabilitiesFor(track: MediasoupTrack, viewer: ReceiverCapabilities): types.RtpCapabilities | undefined {
    return track.kind === viewer.kind ? toViewerCapabilities(viewer, track.codec, this.outlet.numbers) : undefined;
  }

  private replaced({ kind, mid }: ReceiverCapabilities): MediasoupSentTrack | undefined {
    return [...this.sent].find(sent => sent.kind === kind && sent.mid === mid);
  }

  /** Reserves the budget first, so that simultaneous viewers cannot exceed it. */
  private async consume(track: MediasoupTrack, options: ConsumingOptions): Promise<types.Consumer> {
    this.budget.reserve(1);
    try {
      return await whileOpen(this.outlet.consume(track, this.transport, options), this.transport);
    } catch (error) {
      this.budget.reserve(-1);
      throw error;
    }
  }
}

function totalsOf(stream: types.ConsumerStat) {
  return {
    packets: stream.packetCount,
    lost: Math.max(0, stream.packetsLost),
    retransmitted: stream.packetsRetransmitted,
    bytes: stream.byteCount,
    keyframeRequests: stream.pliCount + stream.firCount,
    // 0: no report has answered yet.
    roundTripMs: stream.roundTripTime === 0 ? null : (stream.roundTripTime ?? null),
  };
}

/** A viewer of an egress router. */
interface Lodger {
  closeNow(): void;
}

/**
 * A second router of a room, on another worker or with the payload types of some viewers' offers. The room pipes each track
 * to it once.
 */
class EgressRouter implements TrackOutlet, WorkerRoom {
  private readonly pipes = new SharedOpenings<MediasoupTrack, types.Producer>({
    close: producer => producer.close(),
    onEnded: (producer, listener) => producer.observer.once('close', listener),
  });
  private readonly viewers = new Set<Lodger>();

  constructor(
    readonly router: types.Router,
    readonly worker: MediaWorker,
    readonly numbers: PayloadNumbers | undefined,
  ) {}

  /** Closes the viewer when the worker dies. Call the returned function when the viewer leaves. */
  lodge(viewer: Lodger): () => void {
    this.viewers.add(viewer);
    return () => this.viewers.delete(viewer);
  }

  lose(): void {
    for (const viewer of this.viewers) viewer.closeNow();
  }

  async sweep(): Promise<void> {
    // Nothing is published on an egress router.
  }

  async close(): Promise<void> {
    this.lose();
    this.router.close();
  }

  async consume(track: MediasoupTrack, transport: types.Transport, options: ConsumingOptions): Promise<types.Consumer> {
    const pipe = (): Promise<types.Producer> => track.pipeTo(this.router, this.worker.pipeListenInfo());
    const { opened, release } = await this.pipes.acquire(track, pipe);
    const consuming = transport.consume({ producerId: opened.id, paused: true, ...options });
    const consumer = await consuming.catch((error: unknown) => {
      release();
      throw error;
    });
    consumer.observer.once('close', release);
    if (!track.closed) return consumer;
    consumer.close();
    throw closedError();
  }
}

/** A room's egress routers: one for each worker and set of payload types, open while it has viewers. */
export class EgressRouters {
  private readonly routers = new SharedOpenings<string, EgressRouter>({ close: closeRouter });

  acquire(
    worker: MediaWorker,
    numbers: PayloadNumbers | undefined,
  ): Promise<{ opened: EgressRouter; release: () => void }> {
    return this.routers.acquire(keyOf(worker, numbers), () => open(worker, numbers));
  }

  /** Whether the worker has a router for these payload types. */
  has(worker: MediaWorker, numbers: PayloadNumbers | undefined): boolean {
    return this.routers.has(keyOf(worker, numbers));
  }

  closeNow(): void {
    void this.routers.closeAll();
  }
}

function keyOf({ pid }: MediaWorker, numbers: PayloadNumbers | undefined): string {
  return `${pid}: ${numbers ? numbersKey(numbers) : 'own'}`;
}

async function open(worker: MediaWorker, numbers: PayloadNumbers | undefined): Promise<EgressRouter> {
  const egress = new EgressRouter(await worker.createRouter(numbers), worker, numbers);
  worker.rooms.add(egress);
  return egress;
}

function closeRouter(egress: EgressRouter): void {
  egress.worker.rooms.delete(egress);
  egress.router.close();
}
