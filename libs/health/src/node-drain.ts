import type { Closeable } from '@rtms/bus';
import type { DrainState } from './drain-state.js';

/** What a media node does while it is drained. None of it may reject. */
export interface NodeWork {
  /** Says to whoever places work that this node takes none, or takes some again. Comes before anything else. */
  announce(): Promise<void>;
  /** Tells those whose media runs here that they are to go elsewhere. */
  tell(): void;
  /** Nothing runs here any more. */
  isEmpty(): boolean;
  /** Ends what is left when the time is over. */
  endAll(): Promise<void>;
}

export interface DrainTimes {
  /** For what runs here to end by itself. */
  drainSeconds: number;
  /** How long, when it has all been ended, something of it may still be wanted here; default none. */
  lingerSeconds?: number;
}

const lookEveryMs = 100;

/** Empties a media node: nothing new is placed there, and what runs has a bounded time to end by itself. */
export class NodeDrain implements Closeable {
  private timer: NodeJS.Timeout | undefined;
  private ending: Promise<void> | undefined;
  private beginning: Promise<void> | undefined;

  constructor(
    private readonly state: DrainState,
    private readonly work: NodeWork,
    private readonly times: DrainTimes,
  ) {}

  /** Resolves once everybody has been told; the node is not ready from the first moment on. */
  begin(): Promise<void> {
    this.beginning ??= this.beginNow();
    return this.beginning;
  }

  /** The node takes work again; what has been ended stays so. */
  async callOff(): Promise<void> {
    if (!this.beginning) return;
    this.stopClock();
    this.beginning = undefined;
    this.state.isDraining = false;
    await this.work.announce();
  }

  /** Begins, and resolves when nothing runs here any more or the time is over and everything has been ended. */
  async untilEmpty(): Promise<void> {
    await this.begin();
    await this.untilEmptyOr(() => this.timer === undefined);
    if (!this.ending) return;
    await this.ending;
    const until = Date.now() + (this.times.lingerSeconds ?? 0) * 1000;
    await this.untilEmptyOr(() => Date.now() >= until);
  }

  async close(): Promise<void> {
    this.stopClock();
  }

  private untilEmptyOr(isOver: () => boolean): Promise<void> {
    return new Promise<void>(resolve => {
      const look = setInterval(() => {
        if (!this.work.isEmpty() && !isOver()) return;
        clearInterval(look);
        resolve();
      }, lookEveryMs);
    });
  }

  private async beginNow(): Promise<void> {
    this.state.isDraining = true;
    await this.work.announce();
    // It may have been called off meanwhile.
    if (!this.beginning) return;
    this.work.tell();
    this.ending = undefined;
    this.timer = setTimeout(() => this.end(), this.times.drainSeconds * 1000);
  }

  private end(): void {
    this.timer = undefined;
    this.ending = this.work.endAll();
  }

  private stopClock(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }
}
