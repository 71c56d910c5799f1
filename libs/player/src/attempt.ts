import type { Clock, Timer } from '@rtms/clock';
import { playerTimings } from './player-policy.js';
import { PlayerFailure } from './transports/failure.js';
import type {
  OpenTransport,
  Transport,
  TransportKind,
  TransportListener,
  TransportStats,
} from './transports/transport.js';

export interface AttemptListener {
  onMedia(attempt: Attempt): void;
  onStalled(attempt: Attempt, reason: 'no_media' | 'source_inactive'): void;
  /** No media has arrived for too long, though the connection stays. */
  onStuck(attempt: Attempt): void;
  onLeaving(attempt: Attempt): void;
  onLost(attempt: Attempt, failure: PlayerFailure): void;
}

type Phase = 'connecting' | 'playing' | 'stalled' | 'closed';

/** One transport with its time limits. Calls the listener only when something changes, and never after `close`. */
export class Attempt implements TransportListener {
  private phase: Phase = 'connecting';
  private stalledFor: string | undefined;
  private limit: Timer;
  private readonly transport: Transport;

  constructor(
    readonly kind: TransportKind,
    { open, video }: { open: OpenTransport; video: HTMLVideoElement },
    private readonly clock: Clock,
    private readonly listener: AttemptListener,
  ) {
    const overdue = (): void => this.onLost(new PlayerFailure('timeout', 'No media arrived in time.'));
    this.limit = clock.after(playerTimings.mediaWithinMs[kind], overdue);
    this.transport = open(video, this);
  }

  get isPlaying(): boolean {
    return this.phase === 'playing';
  }

  get stats(): TransportStats {
    return this.transport.stats;
  }

  show(video: HTMLVideoElement): void {
    this.transport.show(video);
  }

  onMedia(): void {
    if (this.phase === 'closed' || this.phase === 'playing') return;
    this.phase = 'playing';
    this.limit.cancel();
    this.listener.onMedia(this);
  }

  onStalled(reason: 'no_media' | 'source_inactive'): void {
    if (this.phase === 'closed' || (this.phase === 'stalled' && this.stalledFor === reason)) return;
    // The source may be inactive before the first media. Nothing else stalls before.
    if (this.phase === 'connecting' && reason === 'no_media') return;
    [this.phase, this.stalledFor] = ['stalled', reason];
    this.limit.cancel();
    if (reason === 'no_media')
      this.limit = this.clock.after(playerTimings.stuckAfterMs, () => this.listener.onStuck(this));
    this.listener.onStalled(this, reason);
  }

  onLeaving(): void {
    if (this.phase !== 'closed') this.listener.onLeaving(this);
  }

  onLost(failure: PlayerFailure): void {
    if (this.phase === 'closed') return;
    void this.close();
    this.listener.onLost(this, failure);
  }

  async close(options?: { saysGoodbye?: boolean }): Promise<void> {
    this.phase = 'closed';
    this.limit.cancel();
    await this.transport.close(options);
  }
}
