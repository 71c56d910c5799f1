import type { types } from 'mediasoup';
import { Listeners } from '../listeners.js';
import type { MediasoupTrack } from './mediasoup-track.js';

/** dBov of the last interval from which somebody counts as speaking, and how often that is looked at, in ms. */
const speaking = { threshold: -50, interval: 300 };

/** Who is the loudest of a room's audio tracks. Opened with the first one. */
export class SpeakerObserver {
  private readonly changes = new Listeners<[string | undefined]>();
  private readonly tracks = new Set<MediasoupTrack>();
  private opened: Promise<types.AudioLevelObserver> | undefined;
  private speaker: string | undefined;

  constructor(private readonly router: types.Router) {}

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
    observer.on('silence', () => this.change(undefined));
    return observer;
  }

  private trackOf(producer: types.Producer): string | undefined {
    return [...this.tracks].find(track => track.isMadeBy(producer))?.trackID;
  }

  private forget(track: MediasoupTrack): void {
    this.tracks.delete(track);
    if (this.speaker === track.trackID) this.change(undefined);
  }

  private change(speaker: string | undefined): void {
    if (this.speaker === speaker) return;
    this.speaker = speaker;
    this.changes.emit(speaker);
  }
}
