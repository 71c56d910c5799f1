import type { Clock, Timer } from '@rtms/clock';
import type HlsPlayer from 'hls.js';
import { PlayerFailure, toFailure } from './failure.js';
import type { Transport, TransportListener, TransportStats } from './transport.js';

interface HlsOptions {
  /** Called once per transport. */
  url: () => Promise<string>;
  video: HTMLVideoElement;
  clock: Clock;
  sendsCmcd: boolean;
}

/**
 * CMCD tells the account whose fault stalls are. It has a random session ID of each player, and neither addresses nor names of contents
 * (`nor`, `cid`). hls.js sends it in the query, because headers would need a preflight request.
 */
const clientData: { includeKeys: ('sid' | 'ot' | 'bl' | 'br' | 'mtp' | 'bs' | 'su')[] } = {
  includeKeys: ['sid', 'ot', 'bl', 'br', 'mtp', 'bs', 'su'],
};
const fasterRate = 1.1;
const lookEveryMs = 500;
/** Between two segments a picture may stand for a moment. */
const stalledAfterMs = 5_000;
/** Of `HTMLMediaElement`. */
const haveFutureData = 3;
const nativeType = 'application/vnd.apple.mpegurl';

/** How far behind live hls.js plays. `liveSyncDurationCount` would outweigh the distance that a low-latency playlist names. */
export class LiveDistance {
  /** 0: the playlists have no parts. */
  private partSeconds = 0;

  constructor(private readonly player: Pick<HlsPlayer, 'config' | 'targetLatency'>) {}

  /** Another transcoder may name another distance, and one of an earlier version sends whole segments, without parts (0). */
  follow(partHoldBackSeconds: number): void {
    const partSeconds = partHoldBackSeconds > 0 ? partHoldBackSeconds : 0;
    if (partSeconds === this.partSeconds) return;
    this.partSeconds = partSeconds;
    const { config } = this.player;
    if (partSeconds > 0) this.player.targetLatency = partSeconds;
    else delete config.liveSyncDuration;
    // After a stall the player plays a little faster, until it is as near as before.
    config.maxLiveSyncPlaybackRate = partSeconds > 0 ? fasterRate : 1;
  }
}

/** Plays HLS by hls.js, which it loads on first use, or by the browser where hls.js does not run (Safari on older iPhones). */
export class HlsTransport implements Transport {
  private video: HTMLVideoElement;
  private player: HlsPlayer | undefined;
  private nativeUrl: string | undefined;
  private watching: Timer | undefined;
  private isClosed = false;
  private hasRecovered = false;
  /** The playlist has an end. */
  private isOver = false;
  private seenSeconds: number | undefined;
  private lastMediaAt: number | undefined;

  constructor(
    private readonly options: HlsOptions,
    private readonly listener: TransportListener,
  ) {
    this.video = options.video;
    void this.open().catch((error: unknown) => this.lose(toFailure(error, 'media_error')));
  }

  get stats(): TransportStats {
    const { videoWidth: width, videoHeight: height } = this.video;
    const seconds = this.player?.latency;
    const delayMs = seconds === undefined || !(seconds > 0) ? undefined : Math.round(seconds * 1000);
    return { delayMs, ...(width > 0 && { width, height }) };
  }

  show(video: HTMLVideoElement): void {
    if (video === this.video) return;
    this.detach();
    this.video = video;
    this.attach();
  }

  async close(): Promise<void> {
    if (this.isClosed) return;
    this.isClosed = true;
    this.watching?.cancel();
    this.detach();
    this.player?.destroy();
  }

  private async open(): Promise<void> {
    const { clock, sendsCmcd } = this.options;
    const url = await this.options.url();
    const { default: Hls } = await import('hls.js').catch((error: unknown) =>
      Promise.reject(toFailure(error, 'hls_not_loaded')),
    );
    if (this.isClosed) return;
    if (Hls.isSupported()) {
      this.player = new Hls({ liveSyncDurationCount: 2, backBufferLength: 30, ...(sendsCmcd && { cmcd: clientData }) });
      const distance = new LiveDistance(this.player);
      this.player.on(Hls.Events.ERROR, (_, { fatal, type, details, response }) => {
        if (fatal) this.fail(type === Hls.ErrorTypes.MEDIA_ERROR, details, response?.code);
      });
      this.player.on(Hls.Events.LEVEL_UPDATED, (_, { details }) => {
        this.isOver = !details.live;
        distance.follow(details.partHoldBack);
      });
      this.player.loadSource(url);
    } else if (this.video.canPlayType(nativeType) !== '') this.nativeUrl = url;
    else throw new PlayerFailure('unsupported', 'This browser plays no HLS.');
    this.attach();
    this.watching = clock.every(lookEveryMs, () => this.look());
  }

  private readonly onEnded = (): void => this.lose(new PlayerFailure('broadcast_ended'));
  /** hls.js handles the errors of its own element. */
  private readonly onError = (): void => {
    if (this.nativeUrl !== undefined) this.lose(new PlayerFailure('media_error', this.video.error?.message));
  };

  private attach(): void {
    if (this.isClosed) return;
    this.video.addEventListener('ended', this.onEnded);
    this.video.addEventListener('error', this.onError);
    this.player?.attachMedia(this.video);
    if (this.nativeUrl !== undefined) this.video.src = this.nativeUrl;
  }

  private detach(): void {
    this.video.removeEventListener('ended', this.onEnded);
    this.video.removeEventListener('error', this.onError);
    this.player?.detachMedia();
    if (this.nativeUrl === undefined) return;
    this.video.removeAttribute('src');
    // Without it the browser goes on loading.
    this.video.load();
  }

  /** The viewer may pause, and the browser may block the start. */
  private look(): void {
    const { clock } = this.options;
    const { currentTime, paused, readyState } = this.video;
    const isReady = paused && readyState >= haveFutureData;
    const hasGrown = isReady || (this.seenSeconds !== undefined && currentTime !== this.seenSeconds);
    this.seenSeconds = currentTime;
    if (hasGrown) this.lastMediaAt = clock.now();
    if (hasGrown) return this.listener.onMedia();
    if (this.lastMediaAt === undefined || clock.now() - this.lastMediaAt < stalledAfterMs) return;
    // The last segment may have less audio than video, so that the element waits for ever.
    if (this.isOver) this.lose(new PlayerFailure('broadcast_ended'));
    else this.listener.onStalled('no_media');
  }

  /** One failure of the decoder may be of the moment. */
  private fail(isMedia: boolean, details: string, status = 0): void {
    if (isMedia && !this.hasRecovered) {
      this.hasRecovered = true;
      return this.player?.recoverMediaError();
    }
    if (status === 401 || status === 403) return this.lose(new PlayerFailure('token_refused', details));
    if (status === 410) return this.lose(new PlayerFailure('broadcast_ended', details));
    this.lose(new PlayerFailure(isMedia ? 'media_error' : status === 0 ? 'unreachable' : 'unavailable', details));
  }

  private lose(failure: PlayerFailure): void {
    if (this.isClosed) return;
    void this.close();
    this.listener.onLost(failure);
  }
}
