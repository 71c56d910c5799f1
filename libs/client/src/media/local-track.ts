import type { TrackSource, TrackState } from '@rtms/contracts';
import type { types } from 'mediasoup-client';
import { RtmsError, toRtmsError } from '../signalling/rtms-error.js';
import { TypedEmitter } from './typed-emitter.js';
import { chooseCodecOptions, chooseEncodings } from './encodings.js';
import type { MediaItem, SendCommand } from './media-ports.js';
import type { MediaLimits, OpenMedia } from './open-media.js';

export interface PublishOptions {
  source: TrackSource;
  /** Whether to send several sizes, of which each subscriber receives one. Default: true for a camera. */
  simulcast?: boolean;
}

export interface LocalTrackEvents {
  /** The owner or a host muted or unmuted the track. */
  'mute.changed': { isMuted: boolean };
  /** The track is no longer published: unpublished, closed by the service, stopped by its device, or refused later. */
  ended: { error?: RtmsError };
}

/** A track that this member publishes. */
export class LocalTrack extends TypedEmitter<LocalTrackEvents> implements MediaItem {
  private producer: types.Producer | undefined;
  private wantsMute = false;
  private isMutedByRoom = false;
  private isOver = false;

  constructor(
    private mediaTrack: MediaStreamTrack,
    private readonly options: PublishOptions,
    private readonly send: SendCommand,
    /** Does nothing while this is under way. */
    private readonly reestablish: (item: LocalTrack) => Promise<void>,
  ) {
    super();
  }

  get source(): TrackSource {
    return this.options.source;
  }

  get track(): MediaStreamTrack {
    return this.mediaTrack;
  }

  /** A new id after each loss of media; undefined until media is open again. */
  get trackID(): string | undefined {
    return this.producer?.closed === false ? this.producer.id : undefined;
  }

  get isMuted(): boolean {
    return this.wantsMute || this.isMutedByRoom;
  }

  get isEnded(): boolean {
    return this.isOver;
  }

  async mute(): Promise<void> {
    this.change(() => (this.wantsMute = true));
    await this.tell('media.pauseTrack');
  }

  async unmute(): Promise<void> {
    await this.tell('media.resumeTrack');
    this.change(() => {
      this.wantsMute = false;
      this.isMutedByRoom = false;
    });
  }

  /**
   * Sends another track, e.g. of another camera. Publishes again if the encodings of the new track differ. While media is being reopened,
   * resolves at once: the new track is then sent in place of the former.
   */
  async replaceTrack(track: MediaStreamTrack): Promise<void> {
    this.mediaTrack = track;
    await this.sendNewest(() => this.reestablish(this));
  }

  async unpublish(): Promise<void> {
    if (this.isOver) return;
    const gone = this.dismiss();
    this.end();
    await gone;
  }

  async establish(media: OpenMedia): Promise<void> {
    if (this.isOver) return;
    const transport = await media.sendTransport();
    const producer = await transport.produce(this.producerOptions(media.limits));
    if (this.isEnded) return this.close(producer);
    this.producer = producer;
    this.isMutedByRoom = false;
    producer.once('trackended', () => void this.unpublish().catch(() => undefined));
    if (this.wantsMute) await this.mute();
    await this.sendNewest(() => this.establish(media));
  }

  end(error?: RtmsError): void {
    if (this.isOver) return;
    this.isOver = true;
    this.producer?.close();
    this.emit('ended', { ...(error && { error }) });
  }

  /** Applies a change that the room reports. */
  follow(state: TrackState): void {
    this.change(() => (this.isMutedByRoom = state === 'paused'));
  }

  private producerOptions({ maxHeight, maxBitrate }: MediaLimits): types.ProducerOptions {
    const { source, simulcast = source === 'camera' } = this.options;
    return {
      track: this.mediaTrack,
      encodings: chooseEncodings({ source, size: sizeOf(this.mediaTrack), simulcast, maxHeight, maxBitrate }),
      codecOptions: chooseCodecOptions(source),
      // The page owns the track and may use it again, so do not stop it.
      stopTracks: false,
      appData: { source },
    };
  }

  private change(set: () => void): void {
    const former = this.isMuted;
    set();
    const { producer } = this;
    if (producer?.closed === false) {
      if (this.isMuted) producer.pause();
      else producer.resume();
    }
    if (this.isMuted !== former) this.emit('mute.changed', { isMuted: this.isMuted });
  }

  /** Does nothing while media is being reopened: `establish` sends the newest track. */
  private async sendNewest(publish: () => Promise<void>): Promise<void> {
    const { producer, mediaTrack: track } = this;
    if (producer?.closed !== false || producer.track === track) return;
    if (JSON.stringify(sizeOf(producer.track)) !== JSON.stringify(sizeOf(track))) {
      await this.dismiss();
      return this.producer ? undefined : publish();
    }
    try {
      await producer.replaceTrack({ track });
    } catch (error) {
      if (this.trackID !== undefined) throw toRtmsError(error);
    }
  }

  /** Sends nothing while media is being reopened: `establish` sends the current state. */
  private async tell(name: 'media.pauseTrack' | 'media.resumeTrack'): Promise<void> {
    const { producer } = this;
    if (producer?.closed !== false) return;
    try {
      await this.send(name, { trackID: producer.id });
    } catch (error) {
      if (this.producer === producer && this.trackID !== undefined) throw error;
    }
  }

  private async dismiss(): Promise<void> {
    const { producer } = this;
    this.producer = undefined;
    if (producer?.closed === false) await this.close(producer);
  }

  private async close(producer: types.Producer): Promise<void> {
    producer.close();
    try {
      await this.send('media.closeTrack', { trackID: producer.id });
    } catch (error) {
      // `not_found`: the room has already closed the track.
      if (!(error instanceof RtmsError && ['not_found', 'connection_closed'].includes(error.reason ?? ''))) throw error;
    }
  }
}

function sizeOf(track: MediaStreamTrack | null): { width: number; height: number } | undefined {
  const { width, height } = track?.getSettings() ?? {};
  return width && height ? { width, height } : undefined;
}
