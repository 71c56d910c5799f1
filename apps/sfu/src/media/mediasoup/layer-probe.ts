import type { types } from 'mediasoup';
import { toFeedCapabilities } from './rtp-mapping.js';
import type { RtpCodec } from '../rtp-parameters.js';
import { vp8Pixels } from '../vp8-bitstream.js';

/** Looks at all simulcast layers of a producer at once, until it has seen how large the pictures of each are. */
export class LayerProbe {
  /** By RID. */
  readonly pixels = new Map<string, number>();
  private transport: types.DirectTransport | undefined;
  private closed = false;

  constructor(
    private readonly router: types.Router,
    private readonly producer: types.Producer,
    private readonly codec: RtpCodec,
  ) {}

  /** Only VP8 shows sizes; for other codecs there is nothing to look at. */
  async open(): Promise<void> {
    if (this.codec.mimeType.toLowerCase() !== 'video/vp8') return;
    const transport = await this.router.createDirectTransport();
    this.transport = transport;
    if (this.closed) transport.close();
    const rtpCapabilities = toFeedCapabilities(this.codec);
    const consumer = await transport.consume({ producerId: this.producer.id, rtpCapabilities, pipe: true });
    const rids = this.ridsBySsrc(consumer);
    consumer.on('rtp', packet => this.look(packet, rids));
  }

  close(): void {
    this.closed = true;
    this.transport?.close();
  }

  private look(packet: Buffer, rids: ReadonlyMap<number, string>): void {
    const pixels = vp8Pixels(packet);
    const rid = rids.get(packet.readUInt32BE(8));
    if (pixels === undefined || rid === undefined) return;
    this.pixels.set(rid, pixels);
    if (this.pixels.size === rids.size) this.close();
  }

  /** The worker gives each layer an SSRC of its own, in the producer's order. */
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
