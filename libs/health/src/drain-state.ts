/** Whether a service is being drained, and when something that ran on it has ended. */
export class DrainState {
  /** While true, the service takes nothing new and is not ready. */
  isDraining = false;
  private readonly listeners = new Set<() => void>();

  /** Says that something which ran here has ended. A drain looks whether it was the last. */
  noteEnd(): void {
    for (const listener of [...this.listeners]) listener();
  }

  /** Calls back each time that something has ended. Returns the function that removes the listener. */
  onEnd(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }
}
