type Listener<Event> = (event: Event) => void;

/** Calls listeners in the order of registration. Rethrows a listener's error in a microtask, as an error of the page. */
export class TypedEmitter<Events extends object> {
  private readonly listeners = new Map<keyof Events, Set<Listener<never>>>();

  /** Returns a function that removes the listener. */
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
