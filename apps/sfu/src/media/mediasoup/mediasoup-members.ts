import type { types } from 'mediasoup';
import type { RtpDescription } from '@rtms/contracts';
import { opus, sentVideoCodecs } from '../engine-codecs.js';
import type { PublishedTrack } from '../media-engine.js';
import type { MemberMedia } from '../member-media.js';
import type { MediaWorker } from './media-worker.js';
import { MediasoupReceiver } from './mediasoup-receiver.js';
import { MediasoupSender } from './mediasoup-sender.js';
import { MediasoupTrack } from './mediasoup-track.js';
import { SpeakerObserver } from './speaker-observer.js';

/** The order of ours, each followed by its RTX: a client sends the first that it can. */
function preferenceOf({ preferredPayloadType, parameters }: types.RtpCodecCapability): number {
  const numbers = [opus, ...sentVideoCodecs].map(({ payloadType }) => payloadType);
  const apt = (parameters as { apt?: number } | undefined)?.apt;
  return numbers.indexOf(apt ?? preferredPayloadType) * 2 + (apt === undefined ? 0 : 1);
}

/** Members' connections of one room. */
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

  /** Without the placeholders among the router's codecs, which only take numbers, and in the order of preference. */
  get routerRtpCapabilities(): RtpDescription {
    const { codecs = [], ...others } = this.router.rtpCapabilities;
    const offered = codecs.filter(({ mimeType }) => mimeType !== 'audio/CN');
    return { ...others, codecs: offered.sort((a, b) => preferenceOf(a) - preferenceOf(b)) };
  }

  async openSender({ isObserved = false } = {}): Promise<MediasoupSender> {
    const transport = await this.createTransport();
    const sender: MediasoupSender = new MediasoupSender({
      transport,
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
