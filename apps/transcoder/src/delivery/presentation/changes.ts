/** Counts the changes of playlists, and calls listeners after each of them. */
export class Changes {
  private readonly listeners = new Set<() => void>();
  private counted = 0;

  get count(): number {
    return this.counted;
  }

  add(): void {
    this.counted += 1;
    this.notify();
  }

  /** For an event that no playlist has. */
  notify(): void {
    for (const listener of [...this.listeners]) listener();
  }

  /** Returns a function that ends the calls. */
  listen(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }
}
