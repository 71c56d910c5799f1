/** The listeners of one event. If a listener throws, the others are still called. */
export class Listeners<Args extends unknown[]> {
  private readonly listeners = new Set<(...args: Args) => void>();

  get size(): number {
    return this.listeners.size;
  }

  /** Returns a function that removes the listener. */
  add(listener: (...args: Args) => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  emit(...args: Args): void {
    const failures: unknown[] = [];
    for (const listener of this.listeners) {
      try {
        listener(...args);
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw new AggregateError(failures, 'At least one listener threw an error.');
  }

  clear(): void {
    this.listeners.clear();
  }
}
