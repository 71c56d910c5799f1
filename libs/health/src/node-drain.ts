import type { Closeable } from '@rtms/bus';
import type { Clock, Timer } from '@rtms/clock';
import type { DrainState } from './drain-state.js';

/** How a media node is emptied. No promise of it rejects. */
export interface NodeWork {
  /** Tells those who place work whether this node takes any. Comes before anything else. */
  announce(): Promise<void>;
  /** Asks those whose media runs here to go to another node. */
  tell(): void;
  /** Whether nothing runs here any more. `DrainState.noteEnd` says when that may have changed. */
  isEmpty(): boolean;
  /** Ends what is left when the time is over. */
  endAll(): Promise<void>;
}

export interface DrainTimes {
  /** Within this time what runs here may end by itself. */
  drainSeconds: number;
  /** After everything was ended, the node stays this long for those who still fetch something. Default 0. */
  lingerSeconds?: number;
}

/** Empties a media node: nothing new is placed there, and what runs has a bounded time to end by itself. */
export class NodeDrain implements Closeable {
  private timer: Timer | undefined;
  /** Aborts when the drain's time is over, and when the drain is called off or closed. */
  private over = new AbortController();
  private ending: Promise<void> | undefined;
  private beginning: Promise<void> | undefined;

  constructor(
    private readonly state: DrainState,
    private readonly work: NodeWork,
    private readonly times: DrainTimes,
    private readonly clock: Clock,
  ) {
    this.over.abort();
  }

  /** Resolves once everybody has been told. The node is not ready from the first moment on. */
  begin(): Promise<void> {
    this.beginning ??= this.beginNow();
    return this.beginning;
  }

  /** The node takes work again. Nothing that was ended comes back. */
  async callOff(): Promise<void> {
    if (!this.beginning) return;
    this.stop();
    this.beginning = undefined;
    this.state.isDraining = false;
    await this.work.announce();
  }

  /** Begins, and resolves when nothing runs here any more, or when the time is over and everything has been ended. */
  async untilEmpty(): Promise<void> {
    await this.begin();
    await this.untilEmptyOr(this.over.signal);
    if (!this.ending) return;
    await this.ending;
    this.start(this.times.lingerSeconds ?? 0, () => undefined);
    await this.untilEmptyOr(this.over.signal);
    this.stop();
  }

  async close(): Promise<void> {
    this.stop();
  }

  private untilEmptyOr(over: AbortSignal): Promise<void> {
    return new Promise(resolve => {
      const look = (): void => {
        if (!this.work.isEmpty() && !over.aborted) return;
        unfollow();
        over.removeEventListener('abort', look);
        resolve();
      };
      const unfollow = this.state.onEnd(look);
      over.addEventListener('abort', look);
      look();
    });
  }

  private async beginNow(): Promise<void> {
    this.state.isDraining = true;
    await this.work.announce();
    // It may have been called off meanwhile.
    if (!this.beginning) return;
    this.work.tell();
    this.ending = undefined;
    this.start(this.times.drainSeconds, () => void (this.ending = this.work.endAll()));
  }

  private start(seconds: number, atTheEnd: () => void): void {
    const over = new AbortController();
    this.over = over;
    this.timer = this.clock.after(seconds * 1000, () => {
      atTheEnd();
      over.abort();
    });
  }

  private stop(): void {
    this.timer?.cancel();
    this.over.abort();
  }
}
