import type { PlayerFailure } from './failure.js';

export type TransportKind = 'whep' | 'hls';
export type MediaKind = 'audio' | 'video';

/** Measurements of the last second. A value that the transport does not know is undefined. */
export interface PlayerStats {
  transport: TransportKind | undefined;
  /** WHEP: half of the round trip and the jitter buffer. HLS: the distance from the newest segment. Encoding is not part of it. */
  delayMs?: number | undefined;
  /** Share of lost packets, 0 to 1. WHEP only. */
  loss?: number | undefined;
  /** Of the picture, in pixels. */
  width?: number | undefined;
  height?: number | undefined;
}

export type TransportStats = Omit<PlayerStats, 'transport'>;

/** Callbacks of one transport. None is called before `open` has returned, or after `close` or `onLost`. */
export interface TransportListener {
  /** Media arrives, for the first time or again. */
  onMedia(): void;
  onStalled(reason: 'no_media' | 'source_inactive'): void;
  /** The media node asks the player to connect to another one. Media still arrives. */
  onLeaving(): void;
  /** The transport has ended. */
  onLost(failure: PlayerFailure): void;
}

/** One connection to the stream. It does not reconnect. */
export interface Transport {
  readonly stats: TransportStats;
  /** Shows the media in this element and in no other. */
  show(video: HTMLVideoElement): void;
  /** `saysGoodbye`: tells the server that the viewer leaves. Closing twice is safe. */
  close(options?: { saysGoodbye?: boolean }): Promise<void>;
}

export type OpenTransport = (video: HTMLVideoElement, listener: TransportListener) => Transport;
