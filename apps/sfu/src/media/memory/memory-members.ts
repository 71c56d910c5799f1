import { randomInt, randomUUID } from 'node:crypto';
import type { Clock } from '@rtms/clock';
import type {
  MediaKind,
  MemberTransportParameters,
  PreferredLayers,
  RtpCodec,
  RtpDescription,
  SubscriptionParameters,
} from '@rtms/contracts';
import { engineCapabilities, isRtx, isSameCodec, receivedAs } from '../codecs.js';
import { Listeners } from '../listeners.js';
import {
  closedError,
  type MemberMedia,
  type MemberReceiver,
  type MemberSender,
  type MemberSubscription,
  unreceivableError,
  unusableParametersError,
} from '../media-engine.js';
import { MemoryTrack } from './memory-publisher.js';
import { MemoryPeerTransport } from './memory-transport.js';

/** The parts of a room that its members use. */
interface RoomOfMembers {
  clock: Clock;
  assertOpen: () => void;
  reserve: (count: number) => void;
}

class MemoryMemberTransport extends MemoryPeerTransport {
  private readonly transportID = randomUUID();

  get parameters(): MemberTransportParameters {
    const { usernameFragment, password, candidates } = this.ice;
    return {
      transportID: this.transportID,
      iceParameters: { usernameFragment, password, iceLite: true },
      iceCandidates: candidates.map(candidate => ({ ...candidate, type: 'host' })),
      dtlsParameters: { role: 'auto', fingerprints: this.fingerprints },
    };
  }
}

class MemorySender extends MemoryMemberTransport implements MemberSender {
  readonly tracks: MemoryTrack[] = [];
  maxBitrate: number | undefined;

  constructor(
    onClosed: () => void,
    private readonly room: RoomOfMembers,
  ) {
    super(onClosed);
  }

  async publish(kind: MediaKind, rtpParameters: RtpDescription): Promise<MemoryTrack> {
    this.assertOpen();
    const codecs = codecsOf(rtpParameters);
    const codec = codecs.find(offered => !isRtx(offered));
    if (!codec || !receivedAs(codec)) throw unreceivableError(codecs);
    const { clock, reserve } = this.room;
    reserve(1);
    const track = new MemoryTrack({ clock, kind, codec, layers: layersOf(rtpParameters) });
    track.onEnded(() => reserve(-1));
    this.tracks.push(track);
    return track;
  }

  async limitBitrate(maxBitrate: number): Promise<void> {
    this.assertOpen();
    this.maxBitrate = maxBitrate;
  }

  override async close(): Promise<void> {
    for (const track of this.tracks) await track.close();
    await super.close();
  }
}

/** `isFlowing` tells whether media flows. `arrive` plays a change of layers. */
export class MemorySubscription implements MemberSubscription {
  readonly parameters: SubscriptionParameters;
  paused = true;
  closed = false;
  preferred: PreferredLayers | undefined;
  private readonly layers = new Listeners<[PreferredLayers | undefined]>();
  private readonly ended = new Listeners<[]>();

  constructor(
    readonly source: MemoryTrack,
    private readonly onClosed: (subscription: MemorySubscription) => void,
  ) {
    const { trackID, kind, codec, layers } = source;
    const rtpParameters = { codecs: [codec], encodings: [{ ssrc: randomInt(1, 2 ** 31) }], headerExtensions: [] };
    this.parameters = { subscriptionID: randomUUID(), trackID, kind, rtpParameters, layers };
    source.onEnded(() => this.end());
  }

  get isFlowing(): boolean {
    return !this.paused && !this.closed && this.source.state === 'live';
  }

  async pause(): Promise<void> {
    this.paused = true;
  }

  async resume(): Promise<void> {
    if (this.closed) throw closedError();
    this.paused = false;
    await this.source.requestKeyframe();
  }

  async prefer(layers: PreferredLayers): Promise<void> {
    this.preferred = layers;
  }

  arrive(layers: PreferredLayers | undefined): void {
    this.layers.emit(layers);
  }

  onLayersChange(listener: (layers: PreferredLayers | undefined) => void): void {
    this.layers.add(listener);
  }

  onEnded(listener: () => void): void {
    if (this.closed) listener();
    else this.ended.add(listener);
  }

  /** Its track or its transport has ended. */
  end(): void {
    if (!this.leave()) return;
    this.ended.emit();
    this.ended.clear();
  }

  async close(): Promise<void> {
    this.leave();
  }

  private leave(): boolean {
    if (this.closed) return false;
    this.closed = true;
    this.onClosed(this);
    return true;
  }
}

class MemoryReceiver extends MemoryMemberTransport implements MemberReceiver {
  readonly subscriptions = new Set<MemorySubscription>();

  constructor(
    onClosed: () => void,
    private readonly reserve: (count: number) => void,
  ) {
    super(onClosed);
  }

  async subscribe(track: MemoryTrack, rtpCapabilities: RtpDescription): Promise<MemorySubscription> {
    this.assertOpen();
    if (track.closed) throw closedError();
    const sent = receivedAs(track.codec);
    if (!sent || !codecsOf(rtpCapabilities).some(codec => isSameCodec(codec, sent)))
      throw unusableParametersError('rtpCapabilities', new Error('no compatible media codecs'));
    this.reserve(1);
    const subscription = new MemorySubscription(track, ended => {
      this.subscriptions.delete(ended);
      this.reserve(-1);
    });
    this.subscriptions.add(subscription);
    return subscription;
  }

  override async close(): Promise<void> {
    for (const subscription of this.subscriptions) subscription.end();
    await super.close();
  }
}

/** Members without media. `senders` and `receivers` list the open ones. `speak` plays a voice. */
export class MemoryMembers implements MemberMedia {
  readonly senders = new Set<MemorySender>();
  readonly receivers = new Set<MemoryReceiver>();
  readonly routerRtpCapabilities: RtpDescription = {
    codecs: [...engineCapabilities.codecs.audio, ...engineCapabilities.codecs.video],
    headerExtensions: [],
  };
  readonly watched = new Set<string>();
  private readonly speaker = new Listeners<[string | undefined]>();

  constructor(private readonly room: RoomOfMembers) {}

  async openSender(): Promise<MemorySender> {
    this.room.assertOpen();
    const sender: MemorySender = new MemorySender(() => this.senders.delete(sender), this.room);
    this.senders.add(sender);
    return sender;
  }

  async openReceiver(): Promise<MemoryReceiver> {
    const { assertOpen, reserve } = this.room;
    assertOpen();
    const receiver: MemoryReceiver = new MemoryReceiver(() => this.receivers.delete(receiver), reserve);
    this.receivers.add(receiver);
    return receiver;
  }

  async watchSpeaker(track: MemoryTrack): Promise<void> {
    this.watched.add(track.trackID);
    track.onEnded(() => this.watched.delete(track.trackID));
  }

  onSpeakerChange(listener: (trackID: string | undefined) => void): void {
    this.speaker.add(listener);
  }

  speak(trackID: string | undefined): void {
    if (trackID === undefined || this.watched.has(trackID)) this.speaker.emit(trackID);
  }

  async close(): Promise<void> {
    for (const opened of [...this.receivers, ...this.senders]) await opened.close();
  }
}

function codecsOf(description: RtpDescription): RtpCodec[] {
  return (description['codecs'] as Partial<RtpCodec>[]).map(codec => ({
    parameters: {},
    rtcpFeedback: [],
    ...codec,
  })) as RtpCodec[];
}

function layersOf(rtpParameters: RtpDescription): SubscriptionParameters['layers'] {
  const encodings = (rtpParameters['encodings'] ?? []) as { scalabilityMode?: string }[];
  const temporal = Number(/T(\d)/.exec(encodings[0]?.scalabilityMode ?? '')?.[1] ?? 1);
  return { spatial: Math.max(1, encodings.length), temporal };
}
