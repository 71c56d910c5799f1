import { parseScalabilityMode, type types } from 'mediasoup';
import type { MediaKind, PreferredLayers } from '@rtms/contracts';
import type { ConsumerBudget } from '../consumer-budget.js';
import type { PublishedTrack, SentTrack, ViewerTransport } from '../media-engine.js';
import type { PayloadNumbers } from '../payload-numbers.js';
import type { ReceiverCapabilities, RtpParameters } from '../rtp-parameters.js';
import { MediasoupPeerTransport } from './mediasoup-transport.js';
import { MediasoupTrack } from './mediasoup-track.js';
import { fromConsumerParameters, toViewerCapabilities } from './rtp-mapping.js';

class MediasoupSentTrack implements SentTrack {
  readonly kind: MediaKind;
  readonly rtpParameters: RtpParameters;
  started = false;

  constructor(
    readonly trackID: string,
    readonly mid: string,
    readonly consumer: types.Consumer,
    onClosed: () => void,
  ) {
    this.kind = consumer.kind;
    this.rtpParameters = fromConsumerParameters(consumer.rtpParameters);
    consumer.observer.once('close', onClosed);
  }

  get layers(): SentTrack['layers'] {
    const { spatialLayers, temporalLayers } = this.layerCounts;
    return { spatial: spatialLayers, temporal: temporalLayers };
  }

  /** The highest ones are the worker's own default: of those it sends what the network carries. */
  async prefer(layers: PreferredLayers | undefined): Promise<void> {
    if (this.consumer.type === 'simple' || this.consumer.closed) return;
    const { spatialLayers, temporalLayers } = this.layerCounts;
    const highest = { spatialLayer: spatialLayers - 1, temporalLayer: temporalLayers - 1 };
    await this.consumer.setPreferredLayers(layers ?? highest);
  }

  onLayersChange(listener: (layers: PreferredLayers | undefined) => void): void {
    this.consumer.on('layerschange', listener);
  }

  /** A consumer of simulcast shows the layers of all its encodings in one scalability mode. */
  private get layerCounts(): { spatialLayers: number; temporalLayers: number } {
    return parseScalabilityMode(this.consumer.rtpParameters.encodings?.[0]?.scalabilityMode);
  }

  /** The worker asks the publisher for a keyframe when a video consumer is resumed. */
  async start(): Promise<void> {
    if (this.started || this.consumer.closed) return;
    this.started = true;
    await this.consumer.resume();
  }

  async close(): Promise<void> {
    this.consumer.close();
  }
}

/** Where a viewer's tracks are taken from: the room's router itself, or a router with the viewer's own numbers. */
export interface TrackOutlet {
  /** undefined: those of the room's router. */
  readonly numbers?: PayloadNumbers;
  /** A paused consumer of the track. */
  consume(track: MediasoupTrack, transport: types.Transport, options: ConsumingOptions): Promise<types.Consumer>;
}

export type ConsumingOptions = Pick<types.ConsumerOptions, 'rtpCapabilities' | 'mid'>;

export class MediasoupViewer extends MediasoupPeerTransport implements ViewerTransport {
  private readonly sent = new Set<MediasoupSentTrack>();

  constructor(
    transport: types.WebRtcTransport,
    private readonly outlet: TrackOutlet,
    private readonly budget: ConsumerBudget,
    private readonly events: { onStarted(): void; onClosed(): void },
  ) {
    super(transport, () => events.onClosed());
  }

  async send(track: PublishedTrack, capabilities: ReceiverCapabilities): Promise<SentTrack | undefined> {
    if (!(track instanceof MediasoupTrack)) throw new TypeError('The track is of another engine.');
    const rtpCapabilities = this.capabilitiesFor(track, capabilities);
    if (!rtpCapabilities) return undefined;
    await this.replaced(capabilities)?.close();
    const { mid } = capabilities;
    const consumer = await this.consume(track, { rtpCapabilities, mid });
    const sent: MediasoupSentTrack = new MediasoupSentTrack(track.trackID, mid, consumer, () => {
      this.sent.delete(sent);
      this.budget.reserve(-1);
    });
    this.sent.add(sent);
    return sent;
  }

  async start(): Promise<void> {
    await this.whileOpen(Promise.all([...this.sent].map(sent => sent.start())));
    this.events.onStarted();
  }

  private capabilitiesFor(track: MediasoupTrack, viewer: ReceiverCapabilities): types.RtpCapabilities | undefined {
    return track.kind === viewer.kind ? toViewerCapabilities(viewer, track.codec, this.outlet.numbers) : undefined;
  }

  private replaced({ kind, mid }: ReceiverCapabilities): MediasoupSentTrack | undefined {
    return [...this.sent].find(sent => sent.kind === kind && sent.mid === mid);
  }

  /** The budget is taken first, so that viewers who come at once cannot overdraw it. */
  private async consume(track: MediasoupTrack, options: ConsumingOptions): Promise<types.Consumer> {
    this.budget.reserve(1);
    try {
      return await this.whileOpen(this.outlet.consume(track, this.transport, options));
    } catch (error) {
      this.budget.reserve(-1);
      throw error;
    }
  }
}
