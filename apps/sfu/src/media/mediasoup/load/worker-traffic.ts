import type { types } from 'mediasoup';

/** Packets a second of a track before it is measured: Opus, and 720p with 2.5 Mbit/s. */
const usualRates = { audio: 50, video: 300 };
/** Seconds after which a peak counts half. A source that pauses will send again. */
const peakHalfLife = 60;

/** One producer, and its consumers on the same worker. */
class Stream {
  readonly consumers = new Set<types.Consumer>();
  /** Packets a second of each simulcast layer, or of the whole stream; undefined before the second measurement. */
  private rates: number[] | undefined;
  private last: { at: number; counts: number[] } | undefined;
  private peak = 0;

  constructor(
    readonly routerID: string,
    readonly producer: types.Producer,
  ) {}

  /** Packets a second that the worker receives and sends because of this stream. */
  get total(): number {
    return [...this.consumers].reduce((sum, consumer) => sum + this.sentTo(consumer), this.received);
  }

  /** Packets a second that one more viewer would receive at most. */
  get rateOfViewer(): number {
    return this.rates ? Math.max(this.peak, ...this.rates) : usualRates[this.producer.kind];
  }

  async measure(at: number): Promise<void> {
    const stats = await this.producer.getStats();
    const encodings = this.producer.rtpParameters.encodings ?? [];
    const counts = new Array<number>(Math.max(1, encodings.length)).fill(0);
    for (const { rid, ssrc, packetCount } of stats) {
      const layer = encodings.findIndex(encoding =>
        rid === undefined ? encoding.ssrc === ssrc : encoding.rid === rid,
      );
      counts[Math.max(0, layer)] = (counts[Math.max(0, layer)] ?? 0) + packetCount;
    }
    const { last } = this;
    this.last = { at, counts };
    if (!last || at <= last.at) return;
    const seconds = at - last.at;
    this.rates = counts.map((count, layer) => Math.max(0, count - (last.counts[layer] ?? 0)) / seconds);
    this.peak = Math.max(this.peak * 0.5 ** (seconds / peakHalfLife), ...this.rates);
  }

  private get received(): number {
    return this.rates?.reduce((sum, rate) => sum + rate, 0) ?? 0;
  }

  private sentTo({ type, paused, producerPaused, currentLayers }: types.Consumer): number {
    if (paused || producerPaused) return 0;
    const layer = type === 'simulcast' ? currentLayers?.spatialLayer : undefined;
    return layer === undefined ? this.received : (this.rates?.[layer] ?? 0);
  }
}

/** Follows what a media worker receives and sends. One request a producer measures it, however many consumers it has. */
export class WorkerTraffic {
  /** By id of the producer. */
  private readonly streams = new Map<string, Stream>();
  private measuring = false;
  /** Tracks that the worker's routers pipe to other routers. */
  pipes = 0;

  constructor(worker: Pick<types.Worker, 'observer'>) {
    worker.observer.on('newrouter', router => {
      router.observer.on('newtransport', transport => {
        transport.observer.on('newproducer', producer => this.followProducer(router.id, producer));
        transport.observer.on('newconsumer', consumer => this.followConsumer(transport.type, consumer));
      });
    });
  }

  /** Packets a second that the worker receives and sends. */
  get packetsPerSecond(): number {
    return [...this.streams.values()].reduce((sum, stream) => sum + stream.total, 0);
  }

  /** Packets a second of a router's next viewer: of its largest audio and its largest video stream. */
  rateOfViewer({ id }: Pick<types.Router, 'id'>): number {
    const streams = [...this.streams.values()].filter(({ routerID }) => routerID === id);
    const largest = (kind: types.MediaKind): number => {
      const rates = streams.filter(({ producer }) => producer.kind === kind).map(({ rateOfViewer }) => rateOfViewer);
      return Math.max(0, ...rates);
    };
    return streams.length === 0 ? usualRates.audio + usualRates.video : largest('audio') + largest('video');
  }

  /** Reads the counters of all producers. Does nothing while an earlier call waits for a slow worker. `at` is in seconds. */
  async measure(at: number): Promise<void> {
    if (this.measuring) return;
    this.measuring = true;
    // A producer that closes meanwhile has no counters.
    await Promise.allSettled([...this.streams.values()].map(stream => stream.measure(at)));
    this.measuring = false;
  }

  private followProducer(routerID: string, producer: types.Producer): void {
    this.streams.set(producer.id, new Stream(routerID, producer));
    producer.observer.once('close', () => this.streams.delete(producer.id));
  }

  private followConsumer(transportType: types.TransportType, consumer: types.Consumer): void {
    const isPipe = transportType === 'pipe';
    if (isPipe) this.pipes += 1;
    const stream = this.streams.get(consumer.producerId);
    stream?.consumers.add(consumer);
    consumer.observer.once('close', () => {
      if (isPipe) this.pipes -= 1;
      stream?.consumers.delete(consumer);
    });
  }
}
