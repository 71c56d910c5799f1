import type { types } from 'mediasoup';
import type { MediaKind, PreferredLayers, RtpDescription, SubscriptionParameters } from '@rtms/contracts';
import type { Clock } from '@rtms/clock';
import { isRtx, opus, receivedAs, sentVideoCodecs } from '../codecs.js';
import {
  closedError,
  type MemberMedia,
  type MemberReceiver,
  type MemberSender,
  type PublishedTrack,
  type MemberSubscription,
  unreceivableError,
  unusableParametersError,
  whileOpen,
} from '../media-engine.js';
import { Listeners } from '../listeners.js';
import type { MediaWorker } from './media-worker.js';
import { MediasoupTrack } from './tracks/mediasoup-track.js';
import { SpeakerObserver } from './tracks/audio-levels.js';
import type { PeerMeter } from './peer-meters.js';
import { MediasoupPeerTransport } from './mediasoup-transport.js';
import { fromConsumerParameters, layersOfConsumer } from './tracks/rtp-mapping.js';

/** Our order of codecs, each followed by its RTX. A client uses the first codec that it supports. */
function preferenceOf({ preferredPayloadType, parameters }: types.RtpCodecCapability): number {
  const numbers = [opus, ...sentVideoCodecs].map(({ payloadType }) => payloadType);
  const apt = (parameters as { apt?: number } | undefined)?.apt;
  return numbers.indexOf(apt ?? preferredPayloadType) * 2 + (apt === undefined ? 0 : 1);
}

/** The connections of a room's members. */
export class MediasoupMembers implements MemberMedia {
  private readonly speaker: SpeakerObserver;
  private readonly senders = new Set<MediasoupSender>();
  private readonly receivers = new Set<MediasoupReceiver>();

  constructor(
    private readonly worker: MediaWorker,
    private readonly router: types.Router,
    private readonly createTransport: () => Promise<types.WebRtcTransport>,
  ) {
    this.speaker = new SpeakerObserver(router, worker.clock);
  }

  /** The router's codecs in order of preference, without the placeholders of `routerMediaCodecs`. */
  get routerRtpCapabilities(): RtpDescription {
    const { codecs = [], ...others } = this.router.rtpCapabilities;
    const offered = codecs.filter(({ mimeType }) => mimeType !== 'audio/CN');
    return { ...others, codecs: offered.sort((a, b) => preferenceOf(a) - preferenceOf(b)) };
  }

  async openSender({ isObserved = false } = {}): Promise<MediasoupSender> {
    const transport = await this.createTransport();
    const sender: MediasoupSender = new MediasoupSender({
      transport,
      meter: this.worker.meters.follow(transport, 'member'),
      router: this.router,
      clock: this.worker.clock,
      reserve: count => this.worker.budget.reserve(count),
      isObserved,
      onClosed: () => {
        this.senders.delete(sender);
        this.worker.publishers--;
      },
    });
    this.senders.add(sender);
    this.worker.publishers++;
    return sender;
  }

  async openReceiver(): Promise<MediasoupReceiver> {
    const transport = await this.createTransport();
    const receiver: MediasoupReceiver = new MediasoupReceiver(
      transport,
      this.worker.meters.follow(transport, 'member'),
      () => this.receivers.delete(receiver),
      count => this.worker.budget.reserve(count),
    );
    this.receivers.add(receiver);
    return receiver;
  }

  async watchSpeaker(track: PublishedTrack): Promise<void> {
    if (!(track instanceof MediasoupTrack)) throw new TypeError('The track is of another engine.');
    await this.speaker.watch(track);
  }

  onSpeakerChange(listener: (trackID: string | undefined) => void): void {
    this.speaker.onChange(listener);
  }

  async sweep(): Promise<void> {
    await Promise.all([...this.senders].map(sender => sender.sweep()));
  }

  closeNow(): void {
    for (const opened of [...this.receivers, ...this.senders]) opened.closeNow();
  }
}

/** The worker accepts no lower limit. */
const lowestBitrate = 30_000;

interface SenderOptions {
  transport: types.WebRtcTransport;
  meter: PeerMeter;
  router: types.Router;
  clock: Clock;
  /** Reserves tracks of the worker's budget; a negative count releases them. */
  reserve: (count: number) => void;
  isObserved: boolean;
  onClosed: () => void;
}

/** The sending connection of a member, with parameters from mediasoup-client. */
class MediasoupSender extends MediasoupPeerTransport implements MemberSender {
  private readonly tracks = new Set<MediasoupTrack>();

  constructor(private readonly options: SenderOptions) {
    super(options.transport, options.meter, options.onClosed);
  }

  async publish(kind: MediaKind, rtpParameters: RtpDescription): Promise<MediasoupTrack> {
    const parameters = rtpParameters as unknown as types.RtpParameters;
    const offer = fromConsumerParameters(parameters);
    const candidates = offer.codecs.filter(codec => !isRtx(codec)).slice(0, 1);
    if (candidates.length === 0 || !candidates.every(receivedAs)) throw unreceivableError(offer.codecs);
    const { transport, router, clock, isObserved } = this.options;
    const options = { transport, router, clock, kind, offer, candidates, rtpParameters: parameters, isObserved };
    this.options.reserve(1);
    const track = await MediasoupTrack.publish(options).catch((error: unknown) => {
      this.options.reserve(-1);
      throw transport.closed ? closedError() : unusableParametersError('rtpParameters', error);
    });
    return this.keep(track);
  }

  async limitBitrate(maxBitrate: number): Promise<void> {
    await whileOpen(this.transport.setMaxIncomingBitrate(Math.max(lowestBitrate, maxBitrate)), this.transport);
  }

  async sweep(): Promise<void> {
    if (!this.options.isObserved || this.state === 'new' || this.state === 'closed') return;
    try {
      await Promise.all([...this.tracks].map(track => track.sweep()));
    } catch (error) {
      if (!this.transport.closed) throw error;
    }
  }

  protected override closeTracks(): void {
    for (const track of [...this.tracks]) track.closeNow();
  }

  private keep(track: MediasoupTrack): MediasoupTrack {
    this.tracks.add(track);
    track.onEnded(() => {
      this.tracks.delete(track);
      this.options.reserve(-1);
    });
    if (this.state === 'closed') track.closeNow();
    if (track.closed) throw closedError();
    return track;
  }
}

class MediasoupSubscription implements MemberSubscription {
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
      layers: layersOfConsumer(this.consumer),
    };
  }

  async pause(): Promise<void> {
    await whileOpen(this.consumer.pause(), this.consumer);
  }

  /** The worker requests a keyframe when a video consumer resumes, at most every 500 ms. */
  async resume(): Promise<void> {
    await whileOpen(this.consumer.resume(), this.consumer);
  }

  async prefer(layers: PreferredLayers): Promise<void> {
    if (this.consumer.type === 'simple') return;
    await whileOpen(this.consumer.setPreferredLayers(layers), this.consumer);
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
}

/** The receiving connection of a member. */
class MediasoupReceiver extends MediasoupPeerTransport implements MemberReceiver {
  constructor(
    transport: types.WebRtcTransport,
    meter: PeerMeter,
    onClosed: () => void,
    private readonly reserve: (count: number) => void,
  ) {
    super(transport, meter, onClosed);
  }

  /** Reserves the budget first, so that simultaneous members cannot exceed it. */
  async subscribe(track: PublishedTrack, rtpCapabilities: RtpDescription): Promise<MemberSubscription> {
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
