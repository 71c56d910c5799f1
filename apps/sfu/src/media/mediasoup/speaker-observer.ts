import type { types } from 'mediasoup';
import type { Clock, Timer } from '@rtms/clock';
import { Listeners } from '../listeners.js';
import type { MediasoupTrack } from './mediasoup-track.js';

/**
 * dBov of the last interval from which somebody counts as speaking, and how often that is looked at, in ms. Half a
 * second is 25 packets: mediasoup leaves tracks out of which fewer than 10 came, as happens on a busy machine.
 */
const speaking = { threshold: -60, interval: 500 };
/** A pause between two words does not end the speaker's turn. */
const holdMs = 1_500;

/** Who is the loudest of a room's audio tracks. Opened with the first one. */
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
    // Said once, when it begins.
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
