interface Opening<Opened> {
  pending: Promise<Opened>;
  /** Set once `pending` is fulfilled. */
  opened?: Opened;
  users: number;
}

interface OpeningEnds<Opened> {
  close(opened: Opened): unknown;
  /** Calls back when an opened value ends by itself. */
  onEnded?(opened: Opened, listener: () => void): void;
}

/** Values that several users share by key. The first user opens the value, the last one closes it. */
export class SharedOpenings<Key, Opened> {
  private readonly openings = new Map<Key, Opening<Opened>>();

  constructor(private readonly ends: OpeningEnds<Opened>) {}

  /** `release` is idempotent. If opening fails, all waiting calls reject and the next call retries. */
  async acquire(key: Key, open: () => Promise<Opened>): Promise<{ opened: Opened; release: () => void }> {
    const opening = this.openings.get(key) ?? this.begin(key, open());
    opening.users++;
    let isHeld = true;
    const release = (): void => {
      if (isHeld) this.leave(key, opening);
      isHeld = false;
    };
    try {
      return { opened: await opening.pending, release };
    } catch (error) {
      release();
      throw error;
    }
  }

  /** True also while the value is being opened. */
  has(key: Key): boolean {
    return this.openings.has(key);
  }

  /** Includes keys whose value is being opened. */
  keys(): Key[] {
    return [...this.openings.keys()];
  }

  entries(): [Key, Opened][] {
    return [...this.openings].flatMap(([key, { opened }]) => (opened === undefined ? [] : [[key, opened]]));
  }

  async closeAll(): Promise<void> {
    const all = [...this.openings.values()];
    this.openings.clear();
    await Promise.allSettled(all.map(async ({ pending }) => this.ends.close(await pending)));
  }

  private begin(key: Key, pending: Promise<Opened>): Opening<Opened> {
    const opening: Opening<Opened> = { pending, users: 0 };
    this.openings.set(key, opening);
    const forget = (): void => this.forget(key, opening);
    pending.then(opened => {
      opening.opened = opened;
      this.ends.onEnded?.(opened, forget);
    }, forget);
    return opening;
  }

  private leave(key: Key, opening: Opening<Opened>): void {
    opening.users--;
    if (opening.users > 0) return;
    this.forget(key, opening);
    opening.pending.then(
      opened => this.ends.close(opened),
      () => undefined,
    );
  }

  private forget(key: Key, opening: Opening<Opened>): void {
    if (this.openings.get(key) === opening) this.openings.delete(key);
  }
}
