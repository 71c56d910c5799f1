import type { Closeable } from '@rtms/bus';
import type { Clock, Timer } from '@rtms/clock';

/** Whether a service drains. Reports when work on it has ended. */
export class DrainState {
  /** While true, the service accepts no new work and is not ready. */
  isDraining = false;
  private readonly listeners = new Set<() => void>();

  /** Reports that work has ended. A drain then checks whether the node is empty. */
  noteEnd(): void {
    for (const listener of [...this.listeners]) listener();
  }

  /** Calls back when work has ended. Returns a function that removes the listener. */
  onEnd(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }
}

/** The node's part of a drain. Its promises never reject. */
export interface DrainedNode {
  /** Announces whether this node accepts work. Runs first. */
  announce(): Promise<void>;
  /** Asks clients to move to another node. */
  tell(): void;
  /** Whether the node has no work left. `DrainState.noteEnd` reports a possible change. */
  isEmpty(): boolean;
  /** Gives up the remaining work when the time is over. */
  endAll(): Promise<void>;
  /** Closes everything that is left after `lingerSeconds`. */
  abandon(): Promise<void>;
}

export interface DrainTimes {
  /** Time for running work to end, in seconds. */
  drainSeconds: number;
  /** Time after `endAll` for clients and the gateway to finish, in seconds. Default: 0. */
  lingerSeconds?: number;
}

/** Drains a media node: the node accepts no new work, and running work has a limited time to end. */
export class NodeDrain implements Closeable {
  private timer: Timer | undefined;
  /** Aborts when the drain's time is over, and when the drain is cancelled or closed. */
  private over = new AbortController();
  private ending: Promise<void> | undefined;
  private beginning: Promise<void> | undefined;

  constructor(
    private readonly state: DrainState,
    private readonly work: DrainedNode,
    private readonly times: DrainTimes,
    private readonly clock: Clock,
  ) {
    this.over.abort();
  }

  /** Starts a drain. The node is not ready at once. Resolves when the drain has been announced. */
  begin(): Promise<void> {
    this.beginning ??= this.beginNow();
    return this.beginning;
  }

  /** Cancels the drain: the node accepts work again. Ended work stays ended. */
  async callOff(): Promise<void> {
    if (!this.beginning) return;
    this.stop();
    this.beginning = undefined;
    this.state.isDraining = false;
    await this.work.announce();
  }

  /** Starts a drain. Resolves when the node is empty, or when the time is over and all work has been ended. */
  async untilEmpty(): Promise<void> {
    await this.begin();
    await this.untilEmptyOr(this.over.signal);
    await this.ending;
  }

  async close(): Promise<void> {
    this.beginning = undefined;
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
    // The drain may have been cancelled meanwhile.
    if (!this.beginning) return;
    this.work.tell();
    this.ending = undefined;
    this.start(this.times.drainSeconds, () => void (this.ending = this.finish()));
  }

  private async finish(): Promise<void> {
    const { beginning } = this;
    await this.work.endAll();
    if (this.beginning !== beginning) return;
    const over = this.start(this.times.lingerSeconds ?? 0, () => undefined);
    await this.untilEmptyOr(over.signal);
    // The drain may have been cancelled meanwhile.
    if (this.beginning !== beginning) return;
    this.stop();
    await this.work.abandon();
  }

  private start(seconds: number, atTheEnd: () => void): AbortController {
    const over = new AbortController();
    this.over = over;
    this.timer = this.clock.after(seconds * 1000, () => {
      atTheEnd();
      over.abort();
    });
    return over;
  }

  private stop(): void {
    this.timer?.cancel();
    this.over.abort();
  }
}
