export interface Timers {
  /** Returns what cancels it. */
  after(milliseconds: number, action: () => void): () => void;
}

export const realTimers: Timers = {
  after: (milliseconds, action) => {
    const timer = setTimeout(action, milliseconds);
    return () => clearTimeout(timer);
  },
};
