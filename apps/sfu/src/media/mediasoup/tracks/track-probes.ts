import type { types } from 'mediasoup';
import { parseRtpPacket, pictureSizeOfPayload } from '@rtms/bitstream';
import type { Clock, Timer } from '@rtms/clock';
import type { RtpCodec, TrackArrival, TrackReception } from '@rtms/contracts';
import { type Picture, PictureMeter, unknownPicture } from '../../health/stream-meters.js';
import { toFeedCapabilities } from './rtp-mapping.js';

/** A consumer of a video track inside this process. mediasoup needs a consumer to show packets and to request keyframes. */
export class PacketTap {
  private transport: types.DirectTransport | undefined;
  private isClosed = false;

  constructor(
    private readonly router: types.Router,
    private readonly producer: types.Producer,
    private readonly codec: RtpCodec,
  ) {}

  async open(options: Pick<types.ConsumerOptions, 'enableRtx' | 'paused' | 'pipe'>): Promise<types.Consumer> {
    this.transport = await this.router.createDirectTransport();
    if (this.isClosed) this.transport.close();
    const rtpCapabilities = toFeedCapabilities(this.codec);
    return this.transport.consume({ producerId: this.producer.id, rtpCapabilities, ...options });
  }

  close(): void {
    this.isClosed = true;
    this.transport?.close();
  }
}

/** Codecs of simulcast whose keyframes show the size of the picture. */
const showsSize = new Set(['video/vp8', 'video/h264']);

/** Watches the simulcast layers of one producer until their order is known. */
export class LayerWatch {
  isOpen = true;
  private readonly order: LayerOrder;
  private readonly tap: PacketTap;
  /** The picture size of each layer, by RID, as far as the packets have shown it. */
  private readonly pixels = new Map<string, number>();

  constructor(
    router: types.Router,
    private readonly producer: types.Producer,
    private readonly codec: RtpCodec,
    encodingIDs: readonly string[],
  ) {
    this.order = new LayerOrder(encodingIDs);
    this.tap = new PacketTap(router, producer, codec);
    // If the measurement fails, the bit rates decide. Other codecs have their layers in one stream.
    if (showsSize.has(codec.mimeType.toLowerCase())) this.measure().catch(() => undefined);
  }

  /** Returns the RIDs from the lowest to the highest once the order is known, then closes. */
  settle(stats: readonly types.ProducerStat[], now: number): string[] | undefined {
    if (!this.isOpen) return undefined;
    const bytes = new Map(
      stats.flatMap(({ rid, byteCount }) => (rid === undefined ? [] : [[rid, byteCount] as const])),
    );
    const order = this.order.settle({ bytes, pixels: this.pixels }, now);
    if (order) this.close();
    return order;
  }

  close(): void {
    this.isOpen = false;
    this.tap.close();
  }

  private async measure(): Promise<void> {
    const consumer = await this.tap.open({ pipe: true });
    const rids = this.ridsBySsrc(consumer);
    consumer.on('rtp', packet => this.look(packet, rids));
  }

  private look(datagram: Buffer, rids: ReadonlyMap<number, string>): void {
    const packet = parseRtpPacket(datagram);
    const size = packet && pictureSizeOfPayload(this.codec.mimeType, packet.payload);
    const rid = packet && rids.get(packet.ssrc);
    if (!size || rid === undefined) return;
    this.pixels.set(rid, size.width * size.height);
    if (this.pixels.size === rids.size) this.tap.close();
  }

  /** The worker gives each layer its own SSRC, in the producer's order. */
  private ridsBySsrc(consumer: types.Consumer): Map<number, string> {
    const layers = this.producer.rtpParameters.encodings ?? [];
    const ssrcs = consumer.rtpParameters.encodings ?? [];
    return new Map(
      layers.flatMap(({ rid }, index) => {
        const ssrc = ssrcs[index]?.ssrc;
        return rid === undefined || ssrc === undefined ? [] : [[ssrc, rid] as const];
      }),
    );
  }
}

/** Measurements by RID. Has no entry for a layer that has not arrived. */
interface LayerSight {
  bytes: ReadonlyMap<string, number>;
  /** Width times height, if known. */
  pixels: ReadonlyMap<string, number>;
}

/** Encoders start with the lowest layer. The other layers have this long to arrive. */
const longestWaitMs = 4_000;

/** Without sizes, the bit rates of this period are compared. */
const comparedMs = 2_000;

/**
 * Finds the order of a publisher's layers by picture size, else by bit rate. Neither the names nor the order in the offer
 * tell which layer is higher (RFC 8853 section 5.2).
 */
export class LayerOrder {
  private begun: number | undefined;
  private complete: { at: number; bytes: ReadonlyMap<string, number> } | undefined;

  constructor(private readonly rids: readonly string[]) {}

  /** Returns the RIDs from the lowest layer to the highest once known. Call it with each measurement. `at` is in ms. */
  settle({ bytes, pixels }: LayerSight, at: number): string[] | undefined {
    if (bytes.size === 0) return undefined;
    this.note(bytes, at);
    const isOver = at - (this.begun ?? at) >= longestWaitMs;
    if (pixels.size === this.rids.length || (isOver && pixels.size > 0)) return this.sorted(pixels);
    return isOver || (pixels.size === 0 && this.isCompared(at)) ? this.sorted(this.since(bytes)) : undefined;
  }

  private note(bytes: ReadonlyMap<string, number>, at: number): void {
    this.begun ??= at;
    if (bytes.size === this.rids.length) this.complete ??= { at, bytes };
  }

  private isCompared(at: number): boolean {
    return this.complete !== undefined && at - this.complete.at >= comparedMs;
  }

  private since(bytes: ReadonlyMap<string, number>): Map<string, number> {
    return new Map([...bytes].map(([rid, now]) => [rid, now - (this.complete?.bytes.get(rid) ?? 0)]));
  }

  /** Missing layers are assumed to continue the offer's order, ascending or descending as the others. */
  private sorted(measure: ReadonlyMap<string, number>): string[] {
    const rank = (rid: string): number => measure.get(rid) ?? 0;
    if (measure.size === this.rids.length) return [...this.rids].sort((a, b) => rank(a) - rank(b));
    const seen = this.rids.filter(rid => measure.has(rid)).map(rank);
    return (seen.at(0) ?? 0) > (seen.at(-1) ?? 0) ? [...this.rids].reverse() : [...this.rids];
  }
}

const lookMs = 1_500;
/** Each measurement makes the publisher send a keyframe. */
const pauseMs = 15_000;

/** Measures the pictures of a video track for 1.5 s, on request and at most every 15 s. */
export class PictureProbe {
  /** The last measurement. */
  last: Picture = unknownPicture;
  private lookedAt = -Infinity;
  private tap: PacketTap | undefined;
  private timer: Timer | undefined;
  private isClosed = false;

  constructor(
    private readonly router: types.Router,
    private readonly producer: types.Producer,
    private readonly codec: RtpCodec,
    private readonly clock: Clock,
  ) {}

  /** Returns the last measurement. Starts a new one in the background if it is due. */
  look(): Picture {
    const now = this.clock.now();
    if (this.producer.kind !== 'video' || this.isClosed) return this.last;
    if (now - this.lookedAt >= pauseMs) {
      this.lookedAt = now;
      // A failed measurement does not affect forwarding.
      this.open().catch(() => this.endLook());
    }
    return this.last;
  }

  close(): void {
    this.isClosed = true;
    this.endLook();
  }

  private async open(): Promise<void> {
    this.tap = new PacketTap(this.router, this.producer, this.codec);
    const consumer = await this.tap.open({ enableRtx: false });
    const meter = new PictureMeter(this.codec.mimeType);
    consumer.on('rtp', packet => meter.add(packet, this.clock.now()));
    this.timer = this.clock.after(lookMs, () => {
      this.last = meter.picture(this.clock.now(), this.last);
      this.endLook();
    });
  }

  private endLook(): void {
    this.timer?.cancel();
    this.tap?.close();
  }
}

type Reception = Omit<TrackReception, 'width' | 'height' | 'frameRate'>;

/** RTCP reports the fraction of lost packets in 256ths (RFC 3550 section 6.4.1). */
const lossUnits = 256;

/** Combines the worker's counters of all layers: sums counts, and takes the worst value of the others. */
export function receptionOf(stats: readonly types.ProducerStat[], clockRate: number): Reception {
  const sum = (valueOf: (stream: types.ProducerStat) => number) =>
    stats.reduce((total, each) => total + valueOf(each), 0);
  const worst = (valueOf: (stream: types.ProducerStat) => number) => Math.max(0, ...stats.map(valueOf));
  const roundTrips = stats.flatMap(({ roundTripTime }) => roundTripTime ?? []);
  return {
    bitrate: sum(({ bitrate }) => bitrate),
    packetsReceived: sum(({ packetCount }) => packetCount),
    packetsLost: Math.max(
      0,
      sum(({ packetsLost }) => packetsLost),
    ),
    fractionLost: worst(({ fractionLost }) => fractionLost) / lossUnits,
    jitterMs: (worst(({ jitter }) => jitter) / clockRate) * 1000,
    roundTripMs: roundTrips.length === 0 ? null : Math.max(...roundTrips),
  };
}

/** Sums the streams of all layers. The worker takes repaired packets for received. */
export function arrivalOf(stats: readonly types.ProducerStat[]): TrackArrival {
  const sum = (valueOf: (stream: types.ProducerStat) => number) =>
    stats.reduce((total, each) => total + Math.max(0, valueOf(each)), 0);
  const roundTrips = stats.flatMap(({ roundTripTime }) => roundTripTime ?? []);
  return {
    roundTripMs: roundTrips.length === 0 ? null : Math.max(...roundTrips),
    packets: sum(({ packetCount }) => packetCount),
    lost: sum(({ packetsLost }) => packetsLost),
    repaired: sum(({ packetsRepaired }) => packetsRepaired),
  };
}
