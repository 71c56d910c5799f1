type Listener<Event> = (event: Event) => void;

/** Calls whoever listens, in the order of their coming; what a listener throws is the page's error, not ours. */
export class TypedEmitter<Events extends object> {
  private readonly listeners = new Map<keyof Events, Set<Listener<never>>>();

  /** Returns what ends it. */
  on<Name extends keyof Events>(name: Name, listener: Listener<Events[Name]>): () => void {
    const ofName = this.listeners.get(name) ?? new Set();
    this.listeners.set(name, ofName);
    ofName.add(listener);
    return () => void ofName.delete(listener);
  }

  emit<Name extends keyof Events>(name: Name, event: Events[Name]): void {
    for (const listener of [...(this.listeners.get(name) ?? [])]) call(listener as Listener<Events[Name]>, event);
  }
}

function call<Event>(listener: Listener<Event>, event: Event): void {
  try {
    listener(event);
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
  }
}
