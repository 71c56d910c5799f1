import type { Closeable } from './bus.js';

export type ConnectionListener = (connected: boolean) => void;

/** Who wants to know when the bus is lost and found. */
export class ConnectionListeners {
  private readonly listeners = new Set<ConnectionListener>();

  add(listener: ConnectionListener): Closeable {
    // An own function, so that one listener given twice is told twice and leaves once.
    const own: ConnectionListener = connected => listener(connected);
    this.listeners.add(own);
    return {
      close: () => {
        this.listeners.delete(own);
        return Promise.resolve();
      },
    };
  }

  tell(connected: boolean): void {
    for (const listener of [...this.listeners]) listener(connected);
  }

  clear(): void {
    this.listeners.clear();
  }
}
