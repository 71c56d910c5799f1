import type { Closeable } from '@rtms/bus';
import type { SessionTrack } from '@rtms/contracts';
import type { PeerTransport, PublishedTrack } from '../media/media-engine.js';
import { codecNameOf } from './codec-name.js';

/** Whether media arrives: not yet, now, no longer. */
export type PublicationState = 'connecting' | 'live' | 'lost';

/** One connection of a session's publisher, until its farewell, its takeover or the session's end. */
export abstract class Publication implements Closeable {
  private wasComplete = false;

  protected constructor(
    protected readonly transport: PeerTransport,
    private readonly openedAt: number,
  ) {}

  abstract readonly tracks: readonly PublishedTrack[];

  /** Calls back when `state` may have changed. Time passing changes it too, see the room's sweep. */
  onChange(listener: () => void): void {
    this.transport.onStateChange(state => {
      // Closed by us, or because the media worker died, which the room tells of.
      if (state !== 'closed') listener();
    });
    for (const track of this.tracks) track.onReceiving(listener);
  }

  /** Calls back with each track, those that come later too. */
  onTrack(listener: (track: PublishedTrack) => void): void {
    this.tracks.forEach(listener);
  }

  /** `live`: ICE and DTLS stand and every kind has received RTP (of late, at least one). */
  state(now: number, lostAfter: number): PublicationState {
    const { state } = this.transport;
    if (state === 'lost' || state === 'closed') return 'lost';
    this.wasComplete ||= this.isComplete();
    if (state !== 'connected' || !this.wasComplete) return 'connecting';
    return now - this.lastSign() >= lostAfter ? 'lost' : 'live';
  }

  /** Whether a second publisher must stay out: this one is there and was heard of late. */
  isHolding(now: number, takeoverAfter: number): boolean {
    const { state } = this.transport;
    return state !== 'lost' && state !== 'closed' && now - this.lastSign() < takeoverAfter;
  }

  describeTracks(): SessionTrack[] {
    return this.tracks.map(({ trackID, kind, codec, state }) => ({ trackID, kind, codec: codecNameOf(codec), state }));
  }

  async close(): Promise<void> {
    for (const track of this.tracks) await track.close();
    await this.transport.close();
  }

  /** Whether all that has to arrive has done so. */
  protected abstract isComplete(): boolean;

  private lastSign(): number {
    return Math.max(this.openedAt, ...this.tracks.map(track => track.lastReceivedAt() ?? 0));
  }
}
