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

/** The end of an object, which comes once. A listener that comes after the end is called at once. */
export class Ending {
  private readonly listeners = new Listeners<[]>();
  private hasBegun = false;

  /** True also while the object closes its parts. */
  get isOver(): boolean {
    return this.hasBegun;
  }

  get size(): number {
    return this.listeners.size;
  }

  /** Returns a function that removes the listener. */
  add(listener: () => void): () => void {
    if (!this.hasBegun) return this.listeners.add(listener);
    listener();
    return () => undefined;
  }

  /** Closes the parts of the object, then calls the listeners. Idempotent. */
  run(closeParts: () => void = () => undefined): void {
    if (this.hasBegun) return;
    this.hasBegun = true;
    closeParts();
    this.listeners.emit();
    this.listeners.clear();
  }
}
