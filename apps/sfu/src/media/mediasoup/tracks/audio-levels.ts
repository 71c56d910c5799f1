import type { types } from 'mediasoup';
import type { Clock, Timer } from '@rtms/clock';
import { Listeners } from '../../listeners.js';
import type { MediasoupTrack } from './mediasoup-track.js';

/** Time for ten packets of the longest Opus frames. The worker reports no level for fewer packets. */
const levelIntervalMs = 1_500;

interface AudioListener {
  /** `level` in dBov. */
  onLevel(level: number): void;
  onTimestamp(rtpTimestamp: number): void;
}

/** Reads the audio levels and sample timestamps of an audio track from mediasoup. */
export class AudioProbe {
  private observer: types.AudioLevelObserver | undefined;
  private isAwaitingPacket = false;
  private closed = false;

  constructor(
    private readonly router: types.Router,
    private readonly producer: types.Producer,
    private readonly listener: AudioListener,
  ) {
    producer.on('trace', event => this.onTrace(event));
  }

  /** Works only if the publisher sends audio levels (RFC 6464). */
  async openLevels(): Promise<void> {
    const extensions = this.producer.rtpParameters.headerExtensions ?? [];
    if (!extensions.some(({ uri }) => uri.endsWith(':ssrc-audio-level'))) return;
    const options = { maxEntries: 1, threshold: -127, interval: levelIntervalMs };
    const observer = await this.router.createAudioLevelObserver(options);
    this.observer = observer;
    if (this.closed) return observer.close();
    observer.on('volumes', ([loudest]) => loudest && this.listener.onLevel(loudest.volume));
    await observer.addProducer({ producerId: this.producer.id });
  }

  /** Traces the next packet only, because tracing every packet is expensive. */
  askForTimestamp(): void {
    if (this.closed || this.isAwaitingPacket) return;
    this.isAwaitingPacket = true;
    void this.producer.enableTraceEvent(['rtp']).catch(() => undefined);
  }

  close(): void {
    this.closed = true;
    this.observer?.close();
  }

  private onTrace({ type, info }: types.ProducerTraceEventData): void {
    if (!this.isAwaitingPacket || type !== 'rtp') return;
    this.isAwaitingPacket = false;
    void this.producer.enableTraceEvent([]).catch(() => undefined);
    const timestamp = tracedPacket(info).timestamp;
    if (timestamp !== undefined) this.listener.onTimestamp(timestamp);
  }
}

interface TracedPacket {
  ssrc?: number;
  timestamp?: number;
}

/** The packet of a trace event. */
export function tracedPacket(info: unknown): TracedPacket {
  const traced = info as { rtpPacket?: TracedPacket } & TracedPacket;
  return traced.rtpPacket ?? traced;
}

/**
 * Threshold for speech in dBov, and the interval in ms. An interval has 25 packets. mediasoup ignores tracks with fewer than
 * 10 packets, which a busy machine can cause.
 */
const speaking = { threshold: -60, interval: 500 };
/** A speaker stays current through pauses of this length. */
const holdMs = 1_500;

/** Finds the loudest of a room's audio tracks. Opens its observer with the first track. */
export class SpeakerObserver {
  private readonly changes = new Listeners<[string | undefined]>();
  private readonly tracks = new Set<MediasoupTrack>();
  private opened: Promise<types.AudioLevelObserver> | undefined;
  private speaker: string | undefined;
  private release: Timer | undefined;

  constructor(
    private readonly router: types.Router,
    private readonly clock: Clock,
  ) {}

  onChange(listener: (trackID: string | undefined) => void): void {
    this.changes.add(listener);
  }

  async watch(track: MediasoupTrack): Promise<void> {
    if (track.closed || this.tracks.has(track)) return;
    this.tracks.add(track);
    track.onEnded(() => this.forget(track));
    this.opened ??= this.open();
    await track.listenBy(await this.opened);
  }

  private async open(): Promise<types.AudioLevelObserver> {
    const observer = await this.router.createAudioLevelObserver({ ...speaking, maxEntries: 1 });
    observer.on('volumes', ([loudest]) => this.change(loudest && this.trackOf(loudest.producer)));
    // mediasoup emits `silence` once, when the silence begins.
    observer.on('silence', () => this.releaseLater());
    observer.observer.once('close', () => this.release?.cancel());
    return observer;
  }

  private trackOf(producer: types.Producer): string | undefined {
    return [...this.tracks].find(track => track.isMadeBy(producer))?.trackID;
  }

  private forget(track: MediasoupTrack): void {
    this.tracks.delete(track);
    if (this.speaker === track.trackID) this.change(undefined);
  }

  private releaseLater(): void {
    this.release?.cancel();
    this.release = this.clock.after(holdMs, () => this.change(undefined));
  }

  private change(speaker: string | undefined): void {
    this.release?.cancel();
    if (this.speaker === speaker) return;
    this.speaker = speaker;
    this.changes.emit(speaker);
  }
}
