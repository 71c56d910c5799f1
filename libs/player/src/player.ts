import { type Clock, systemClock, type Timer } from '@rtms/clock';
import { Attempt, type AttemptListener } from './attempt.js';
import {
  afterFailedReturn,
  afterFailure,
  hasOther,
  nextAttempt,
  noTries,
  playerTimings,
  returnDelayMs,
  type Tries,
} from './player-policy.js';
import { type PlayerSource, usableSource } from './transports/player-source.js';
import type { PlayerStatus } from './player-status.js';
import { openTransport, type TransportOpener } from './transports/open-transport.js';
import { PlayerFailure, type PlayerReason } from './transports/failure.js';
import type { PlayerStats, TransportKind } from './transports/transport.js';

export interface PlayerOptions {
  /** The player sets its media and `autoplay`. */
  video: HTMLVideoElement;
  source: PlayerSource;
  /** Default: `whep`. */
  prefer?: TransportKind | undefined;
  /** Answers new addresses and tokens: a token opens connections for some minutes only, and the stream may move to another media node. */
  renew?: (() => Promise<PlayerSource>) | undefined;
  /** Others may use the playback too. The player then sends no DELETE, because that of the last viewer ends the playback. */
  isShared?: boolean | undefined;
  /** A former player has ended the playback: the first WHEP attempt asks `renew`. */
  needsRenewal?: boolean | undefined;
  /** Whether requests for HLS have the quality of the playback (CMCD, CTA-5004). Default: true. */
  sendsCmcd?: boolean | undefined;
  onChange?: (status: PlayerStatus) => void;
  clock?: Clock;
  /** Failures of one transport in a row before the first media of all. After them it is not tried again. Default: 8, as later. */
  mostFirstFailures?: number;
  /** For tests. */
  open?: TransportOpener;
  /** For tests: from 0 to 1. */
  random?: () => number;
  makeVideo?: () => HTMLVideoElement;
}

const renewWithinMs = 10_000;
const idle: PlayerStatus = { state: 'idle', transport: undefined, reason: undefined, message: undefined };

/**
 * Plays one stream in a video element by the preferred transport, and by the other one while that does not play. Tries the preferred
 * transport again beside the playing one, with back-off, and switches when its media arrives. All attempts are bounded.
 */
export class Player implements AttemptListener {
  private readonly clock: Clock;
  private readonly video: HTMLVideoElement;
  private source: PlayerSource;
  private order: readonly TransportKind[] = [];
  private tries: Record<TransportKind, Tries> = { whep: noTries(), hls: noTries() };
  private returns = 0;
  private hasPlayed = false;
  private movedAt = -Infinity;
  private current: Attempt | undefined;
  /** The next connection, beside the current one until its media arrives. */
  private next: { attempt: Attempt; why: PlayerReason } | undefined;
  private readonly timers: Partial<Record<'retry' | 'return' | 'steady', Timer>> = {};
  private shown = idle;

  constructor(private readonly options: PlayerOptions) {
    this.clock = options.clock ?? systemClock;
    this.video = options.video;
    this.source = usableSource(options.source);
    this.tries.whep.needsRenewal = options.needsRenewal ?? false;
  }

  get status(): PlayerStatus {
    return this.shown;
  }

  get stats(): PlayerStats {
    return { transport: this.current?.kind, ...this.current?.stats };
  }

  /** Whether the next WHEP attempt asks `renew`, as it does after `stop()`. */
  get needsRenewal(): boolean {
    return this.tries.whep.needsRenewal;
  }

  /** Starts. While it plays, it only continues a paused or blocked video. */
  play(): void {
    if (!['idle', 'ended', 'failed'].includes(this.shown.state)) return void this.startVideo();
    const { needsRenewal } = this;
    this.tries = { whep: { ...noTries(), needsRenewal }, hls: noTries() };
    this.returns = 0;
    this.hasPlayed = false;
    this.order = orderOf(this.source, this.options.prefer);
    const [first] = this.order;
    if (first === undefined) this.tell({ state: 'failed', reason: 'no_source' });
    else this.begin(first);
  }

  /**
   * Closes all connections. Resolves once the server knows. Stopping twice is safe. The DELETE of the last viewer ends the playback,
   * so the next `play()` asks `renew`.
   */
  async stop(): Promise<void> {
    const closed = this.closeAll({ saysGoodbye: !this.options.isShared });
    if (this.shown.state !== 'idle') this.tell({ state: 'idle', reason: 'stopped' });
    await closed;
  }

  /** New addresses or tokens for later connections. The present one continues. */
  update(source: PlayerSource): void {
    const former = this.source;
    this.source = usableSource(source);
    this.order = orderOf(this.source, this.options.prefer);
    for (const kind of ['whep', 'hls'] as const) {
      if (JSON.stringify(former[kind]) !== JSON.stringify(this.source[kind])) this.tries[kind] = noTries();
    }
    this.planReturn();
  }

  onMedia(attempt: Attempt): void {
    this.hasPlayed = true;
    if (attempt === this.next?.attempt) this.adopt(this.next.why);
    else this.tell({ state: 'playing', transport: attempt.kind });
    void this.startVideo();
    this.timers.steady?.cancel();
    this.timers.steady = this.clock.after(playerTimings.steadyAfterMs, () => this.settle(attempt.kind));
    this.planReturn();
  }

  onStalled(attempt: Attempt, reason: 'no_media' | 'source_inactive'): void {
    if (attempt === this.current) this.tell({ state: 'stalled', transport: attempt.kind, reason });
  }

  onStuck(attempt: Attempt): void {
    const isCurrent = attempt === this.current;
    // The media node closes a WHEP connection that it cannot serve. Nobody closes a HLS player that hangs.
    if (isCurrent && attempt.kind === 'whep' && !hasOther(this.order, attempt.kind, this.tries)) return;
    attempt.onLost(new PlayerFailure('no_media', 'The connection stays, but no media arrives.'));
  }

  onLeaving(attempt: Attempt): void {
    const isTooSoon = this.clock.now() - this.movedAt < playerTimings.moveEveryMs;
    if (attempt !== this.current || this.next || isTooSoon) return;
    this.movedAt = this.clock.now();
    this.openBeside(attempt.kind, 'node_leaving');
  }

  onLost(attempt: Attempt, failure: PlayerFailure): void {
    const mayRenew = this.options.renew !== undefined;
    const { kind } = attempt;
    if (attempt === this.next?.attempt) {
      this.next = undefined;
      this.tries[kind] = afterFailedReturn(this.tries[kind], failure.reason, mayRenew);
      this.planReturn();
    } else if (attempt === this.current) {
      this.tries[kind] = afterFailure(this.tries[kind], failure.reason, mayRenew);
      this.current = undefined;
      this.replace(failure);
    }
  }

  /** After the loss of the current connection. */
  private replace(failure: PlayerFailure): void {
    const why = { reason: failure.reason, message: failure.message };
    for (const timer of Object.values(this.timers)) timer.cancel();
    if (this.next) {
      this.current = this.next.attempt;
      this.next = undefined;
      this.current.show(this.video);
      return this.tell({ state: 'connecting', transport: this.current.kind, ...why });
    }
    const random = (this.options.random ?? Math.random)();
    const { retryAfterMs } = failure;
    const mostFailures = this.hasPlayed ? undefined : this.options.mostFirstFailures;
    const next = nextAttempt(this.order, this.tries, { retryAfterMs, random, mostFailures });
    if (typeof next === 'string') return this.tell({ state: next, ...why });
    if (next.delayMs === 0) return this.begin(next.kind, why);
    this.tell({ state: 'connecting', transport: next.kind, ...why });
    this.timers.retry = this.clock.after(next.delayMs, () => this.begin(next.kind, why));
  }

  private begin(kind: TransportKind, why: Partial<PlayerStatus> = {}): void {
    this.tell({ ...why, state: 'connecting', transport: kind });
    this.video.autoplay = true;
    this.current = this.attempt(kind, this.video);
  }

  private openBeside(kind: TransportKind, why: PlayerReason): void {
    this.timers.return?.cancel();
    this.next = { attempt: this.attempt(kind, this.options.makeVideo?.() ?? hiddenVideo()), why };
  }

  private attempt(kind: TransportKind, video: HTMLVideoElement): Attempt {
    const { clock } = this;
    const { sendsCmcd = true } = this.options;
    const address = async (): Promise<PlayerSource> => this.freshSource(kind);
    const open = (this.options.open ?? openTransport)(kind, { address, clock, sendsCmcd });
    return new Attempt(kind, { open, video }, clock, this);
  }

  /** The media of the next connection has arrived. */
  private adopt(reason: PlayerReason): void {
    const former = this.current;
    this.current = this.next?.attempt;
    this.next = undefined;
    void former?.close();
    this.current?.show(this.video);
    this.tell({ state: 'playing', transport: this.current?.kind, reason });
  }

  private settle(kind: TransportKind): void {
    this.tries[kind] = { ...this.tries[kind], failures: 0 };
    if (kind === this.order[0]) this.returns = 0;
  }

  /** Tries the preferred transport later, unless it plays or is being tried. */
  private planReturn(): void {
    this.timers.return?.cancel();
    if (!this.current || this.next || this.shown.state === 'connecting') return;
    const delayMs = returnDelayMs(this.current.kind, this.order, this.tries, this.returns);
    if (delayMs === undefined) return;
    this.timers.return = this.clock.after(delayMs, () => {
      const [preferred] = this.order;
      // A new connection would end the viewer's pause.
      if (this.video.paused || preferred === undefined) return this.planReturn();
      this.returns += 1;
      this.openBeside(preferred, 'returned');
    });
  }

  private async freshSource(kind: TransportKind): Promise<PlayerSource> {
    const { renew } = this.options;
    if (this.tries[kind].needsRenewal && renew) {
      this.tries[kind].needsRenewal = false;
      const late = new AbortController();
      try {
        const overdue = this.clock
          .pause(renewWithinMs, late.signal)
          .then(() => Promise.reject(new Error('It took too long.')));
        this.source = usableSource(await Promise.race([renew(), overdue]));
        this.order = orderOf(this.source, this.options.prefer);
      } catch (error) {
        throw new PlayerFailure('renewal_failed', error instanceof Error ? error.message : String(error));
      } finally {
        late.abort();
      }
    }
    if (this.source[kind] === undefined) throw new PlayerFailure('no_source', `The page gave no address for ${kind}.`);
    return this.source;
  }

  private async startVideo(): Promise<void> {
    try {
      await this.video.play();
      const { reason, transport } = this.shown;
      if (reason === 'play_blocked' && this.current?.isPlaying) this.tell({ state: 'playing', transport });
    } catch (error) {
      const isBlocked = error instanceof DOMException && error.name === 'NotAllowedError';
      if (isBlocked && this.current?.isPlaying)
        this.tell({ state: 'stalled', transport: this.current.kind, reason: 'play_blocked' });
    }
  }

  private tell({ state, transport, reason, message }: Partial<PlayerStatus> & Pick<PlayerStatus, 'state'>): void {
    const former = this.shown;
    this.shown = { state, transport, reason, message };
    if (former.state !== state || former.transport !== transport || former.reason !== reason)
      this.options.onChange?.(this.shown);
  }

  private async closeAll(options: { saysGoodbye: boolean }): Promise<void> {
    for (const timer of Object.values(this.timers)) timer.cancel();
    const open = [this.current, this.next?.attempt];
    if (options.saysGoodbye && open.some(attempt => attempt?.kind === 'whep')) this.tries.whep.needsRenewal = true;
    [this.current, this.next] = [undefined, undefined];
    await Promise.all(open.map(async attempt => attempt?.close(options)));
  }
}

function orderOf(source: PlayerSource, prefer: TransportKind = 'whep'): readonly TransportKind[] {
  const order = prefer === 'whep' ? (['whep', 'hls'] as const) : (['hls', 'whep'] as const);
  return order.filter(kind => source[kind] !== undefined);
}

function hiddenVideo(): HTMLVideoElement {
  return Object.assign(document.createElement('video'), { muted: true, autoplay: true, playsInline: true });
}
