import { systemClock, type Clock } from '@rtms/clock';
import { currentPool } from '../database/connection-pools.js';

/** A read takes about a millisecond. Callers do not wait longer for a read on a connection that hangs: they begin their own. */
const longestWaitMs = 50;

/**
 * Lets callers that want the same share one read: the requests of one account ask for the same rows. A caller joins only a read that begins
 * after its call, so it sees everything that was committed before. Values are shared too, so nobody may change them.
 */
export class SharedReads<Value> {
  private readonly running = new Map<string, Promise<Value>>();
  /** Reads that begin when a running read ends. */
  private readonly following = new Map<string, Promise<Value>>();

  constructor(private readonly clock: Clock = systemClock) {}

  /** `load` must depend on nothing but `subject`. */
  read(subject: string, load: () => Promise<Value>): Promise<Value> {
    // Each pool has connections of its own.
    const key = `${currentPool()} ${subject}`;
    const running = this.running.get(key);
    if (!running) return this.begin(key, load);
    const joined = this.following.get(key);
    if (joined) return joined;
    const following = this.endOf(running).then(() => {
      this.following.delete(key);
      return this.begin(key, load);
    });
    this.following.set(key, following);
    return following;
  }

  private async endOf(running: Promise<Value>): Promise<void> {
    const end = new AbortController();
    void settled(running).then(() => end.abort());
    await this.clock.pause(longestWaitMs, end.signal);
  }

  private begin(key: string, load: () => Promise<Value>): Promise<Value> {
    const read = load();
    this.running.set(key, read);
    void settled(read).then(() => {
      if (this.running.get(key) === read) this.running.delete(key);
    });
    return read;
  }
}

async function settled(work: Promise<unknown>): Promise<void> {
  await work.catch(() => undefined);
}
