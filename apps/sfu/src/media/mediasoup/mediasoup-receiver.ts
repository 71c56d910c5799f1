import { parseScalabilityMode, type types } from 'mediasoup';
import type {
  MemberTransportParameters,
  PreferredLayers,
  RtpDescription,
  SubscriptionParameters,
} from '@rtms/contracts';
import { Listeners } from '../listeners.js';
import { closedError, unusableParametersError } from '../media-errors.js';
import type { PublishedTrack } from '../media-engine.js';
import type { MemberReceiver, Subscription } from '../member-media.js';
import { parametersOf } from './mediasoup-sender.js';
import { MediasoupTrack } from './mediasoup-track.js';
import { MediasoupPeerTransport } from './mediasoup-transport.js';

class MediasoupSubscription implements Subscription {
  private readonly ended = new Listeners<[]>();
  private isClosedByUs = false;

  constructor(
    private readonly trackID: string,
    private readonly consumer: types.Consumer,
  ) {
    consumer.observer.once('close', () => {
      if (!this.isClosedByUs) this.ended.emit();
      this.ended.clear();
    });
  }

  get parameters(): SubscriptionParameters {
    const { id: subscriptionID, kind, rtpParameters } = this.consumer;
    return {
      subscriptionID,
      trackID: this.trackID,
      kind,
      rtpParameters: { ...rtpParameters },
      layers: layersOf(this.consumer),
    };
  }

  async pause(): Promise<void> {
    await this.whileOpen(this.consumer.pause());
  }

  /** The worker asks the publisher for a keyframe when a video consumer is resumed, at most every 500 ms. */
  async resume(): Promise<void> {
    await this.whileOpen(this.consumer.resume());
  }

  async prefer(layers: PreferredLayers): Promise<void> {
    if (this.consumer.type === 'simple') return;
    await this.whileOpen(this.consumer.setPreferredLayers(layers));
  }

  onLayersChange(listener: (layers: PreferredLayers | undefined) => void): void {
    this.consumer.on('layerschange', listener);
  }

  onEnded(listener: () => void): void {
    if (this.consumer.closed) listener();
    else this.ended.add(listener);
  }

  async close(): Promise<void> {
    this.isClosedByUs = true;
    this.consumer.close();
  }

  private async whileOpen(work: Promise<void>): Promise<void> {
    try {
      await work;
    } catch (error) {
      throw this.consumer.closed ? closedError() : error;
    }
  }
}

/** A consumer of simulcast shows the layers of all its encodings in one scalability mode. */
function layersOf({ rtpParameters }: types.Consumer): SubscriptionParameters['layers'] {
  const { spatialLayers, temporalLayers } = parseScalabilityMode(rtpParameters.encodings?.[0]?.scalabilityMode);
  return { spatial: spatialLayers, temporal: temporalLayers };
}

/** What a member is sent, by its own capabilities. */
export class MediasoupReceiver extends MediasoupPeerTransport implements MemberReceiver {
  constructor(
    transport: types.WebRtcTransport,
    onClosed: () => void,
    private readonly reserve: (count: number) => void,
  ) {
    super(transport, onClosed);
  }

  get parameters(): MemberTransportParameters {
    return parametersOf(this.transport);
  }

  /** The budget is taken first, so that members who come at once cannot overdraw it. */
  async subscribe(track: PublishedTrack, rtpCapabilities: RtpDescription): Promise<Subscription> {
    if (!(track instanceof MediasoupTrack)) throw new TypeError('The track is of another engine.');
    this.reserve(1);
    try {
      const options = { rtpCapabilities: rtpCapabilities as types.RtpCapabilities };
      const consumer = await track.consumeOn(this.transport, options);
      consumer.observer.once('close', () => this.reserve(-1));
      return new MediasoupSubscription(track.trackID, consumer);
    } catch (error) {
      this.reserve(-1);
      throw this.transport.closed || track.closed ? closedError() : unusableParametersError('rtpCapabilities', error);
    }
  }
}
