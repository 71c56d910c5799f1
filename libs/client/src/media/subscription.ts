import type { MediaKind, PreferredLayers } from '@rtms/contracts';
import type { types } from 'mediasoup-client';
import { RtmsError, toRtmsError } from '../signalling/rtms-error.js';
import { TypedEmitter } from './typed-emitter.js';
import type { MediaItem, SendCommand } from './media-ports.js';
import type { OpenMedia } from './open-media.js';

export interface SubscribeOptions {
  /** Layers to start with. Default: the highest layers that the bandwidth allows. */
  layers?: PreferredLayers;
  /** Whether to start paused, without media until `resume`. */
  isPaused?: boolean;
}

export interface SubscriptionEvents {
  /** Media was reopened: play this track instead. */
  'track.changed': { track: MediaStreamTrack };
  /** The layers that arrive now; null if none arrives. */
  'layers.changed': { layers: PreferredLayers | null };
  /** The subscription has ended: closed, the track ended, or it could not be restored. */
  ended: { error?: RtmsError };
}

interface Received {
  consumer: types.Consumer;
  layers: { spatial: number; temporal: number };
}

/** A track of another member that this member receives. */
export class Subscription extends TypedEmitter<SubscriptionEvents> implements MediaItem {
  private received: Received | undefined;
  private wantedLayers: PreferredLayers | undefined;
  private isStopped: boolean;
  private isOver = false;

  constructor(
    readonly trackID: string,
    { layers, isPaused = false }: SubscribeOptions,
    private readonly send: SendCommand,
  ) {
    super();
    this.wantedLayers = layers;
    this.isStopped = isPaused;
  }

  /** A new track after each loss of media, announced by `track.changed`. */
  get track(): MediaStreamTrack {
    return this.require().consumer.track;
  }

  get kind(): MediaKind {
    return this.require().consumer.kind;
  }

  /** The number of spatial and temporal layers. */
  get layers(): { spatial: number; temporal: number } {
    return this.require().layers;
  }

  get subscriptionID(): string | undefined {
    return this.received?.consumer.id;
  }

  get isPaused(): boolean {
    return this.isStopped;
  }

  get isEnded(): boolean {
    return this.isOver;
  }

  /** Rejects with `media_failed` while media is being reopened. */
  async getStats(): Promise<RTCStatsReport> {
    const { consumer } = this.require();
    return consumer.getStats().catch((error: unknown) => {
      throw consumer.closed ? noMedia() : toRtmsError(error);
    });
  }

  async setLayers(layers: PreferredLayers): Promise<void> {
    this.wantedLayers = layers;
    await this.update({ layers });
  }

  async pause(): Promise<void> {
    this.isStopped = true;
    this.received?.consumer.pause();
    await this.update({ paused: true });
  }

  async resume(): Promise<void> {
    this.isStopped = false;
    this.received?.consumer.resume();
    await this.update({ paused: false });
  }

  async close(): Promise<void> {
    if (this.isOver) return;
    const { subscriptionID } = this;
    const isOpen = this.received?.consumer.closed === false;
    this.end();
    if (subscriptionID !== undefined && isOpen) await this.unsubscribe(subscriptionID);
  }

  async establish(media: OpenMedia): Promise<void> {
    if (this.isOver) return;
    const transport = await media.receiveTransport();
    const { trackID } = this;
    const request = { transportID: transport.id, trackID, rtpCapabilities: { ...media.rtpCapabilities } };
    const { subscriptionID, kind, rtpParameters, layers } = await this.send('media.subscribe', request);
    const parameters = rtpParameters as unknown as types.RtpParameters;
    const consumer = await consume(transport, {
      id: subscriptionID,
      producerId: trackID,
      kind,
      rtpParameters: parameters,
    });
    if (this.isEnded) return this.giveUp(consumer);
    const isAgain = this.received !== undefined;
    this.received?.consumer.close();
    this.received = { consumer, layers };
    await this.begin();
    if (isAgain) this.emit('track.changed', { track: consumer.track });
  }

  end(error?: RtmsError): void {
    if (this.isOver) return;
    this.isOver = true;
    this.received?.consumer.close();
    this.emit('ended', { ...(error && { error }) });
  }

  private begin(): Promise<void> {
    if (this.isStopped) this.received?.consumer.pause();
    return this.update({ paused: this.isStopped, ...(this.wantedLayers && { layers: this.wantedLayers }) });
  }

  /** Sends nothing while media is being reopened: `establish` sends the current state. */
  private async update(change: { paused?: boolean; layers?: PreferredLayers }): Promise<void> {
    const consumer = this.received?.consumer;
    if (consumer?.closed !== false) return;
    try {
      await this.send('media.updateSubscription', { subscriptionID: consumer.id, ...change });
    } catch (error) {
      if (this.received?.consumer === consumer && !this.isClosed(consumer)) throw error;
    }
  }

  private isClosed(consumer: types.Consumer): boolean {
    return consumer.closed;
  }

  private async giveUp(consumer: types.Consumer): Promise<void> {
    consumer.close();
    await this.unsubscribe(consumer.id);
  }

  private async unsubscribe(subscriptionID: string): Promise<void> {
    await this.send('media.unsubscribe', { subscriptionID }).catch(() => undefined);
  }

  private require(): Received {
    if (!this.received) throw noMedia();
    return this.received;
  }
}

function noMedia(): RtmsError {
  return new RtmsError('CONFLICT', 'The subscription has no media now. Wait for `track.changed`.', 'media_failed');
}

/**
 * Rejects when the transport closes meanwhile. mediasoup-client then never settles: a closed `RTCPeerConnection` does not
 * settle a description that it is setting (W3C WebRTC, "set a session description").
 */
function consume(transport: types.Transport, options: types.ConsumerOptions): Promise<types.Consumer> {
  return new Promise((resolve, reject) => {
    const abandon = () => reject(new Error('the transport was closed'));
    transport.observer.once('close', abandon);
    const settled = transport.consume(options).then(resolve, reject);
    void settled.finally(() => transport.observer.off('close', abandon));
  });
}
