/** The listeners of one event. One that throws does not keep the others from hearing it. */
export class Listeners<Args extends unknown[]> {
  private readonly listeners = new Set<(...args: Args) => void>();

  get size(): number {
    return this.listeners.size;
  }

  /** Answers what removes it again. */
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
    if (failures.length > 0) throw new AggregateError(failures, 'A listener failed.');
  }

  clear(): void {
    this.listeners.clear();
  }
}
