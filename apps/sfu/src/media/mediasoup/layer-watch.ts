import type { types } from 'mediasoup';
import { LayerOrder } from '../layer-order.js';
import type { RtpCodec } from '../rtp-parameters.js';
import { LayerProbe } from './layer-probe.js';

/** Watches the simulcast layers of one producer after the other, until the streams have told their order. */
export class LayerWatch {
  private current: { order: LayerOrder; probe: LayerProbe } | undefined;

  get isOpen(): boolean {
    return this.current !== undefined;
  }

  open(router: types.Router, producer: types.Producer, codec: RtpCodec, encodingIDs: readonly string[]): void {
    this.close();
    const probe = new LayerProbe(router, producer, codec);
    this.current = { order: new LayerOrder(encodingIDs), probe };
    // Without sizes, bit rates decide.
    probe.open().catch(() => undefined);
  }

  /** RIDs from the lowest to the highest, once: then it is closed. */
  settle(stats: readonly types.ProducerStat[], now: number): string[] | undefined {
    const bytes = new Map(
      stats.flatMap(({ rid, byteCount }) => (rid === undefined ? [] : [[rid, byteCount] as const])),
    );
    const order = this.current?.order.settle({ bytes, pixels: this.current.probe.pixels }, now);
    if (order) this.close();
    return order;
  }

  close(): void {
    this.current?.probe.close();
    this.current = undefined;
  }
}
