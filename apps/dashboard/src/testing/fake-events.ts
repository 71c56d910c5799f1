import type { DashboardEventKind } from '@rtms/contracts';
import { act } from '@testing-library/react';

/** Replaces `EventSource`: the test opens and breaks the connection, and sends events. */
export class FakeEvents extends EventTarget {
  static readonly OPEN = 1;
  static opened: FakeEvents[] = [];
  readyState = 0;

  constructor(readonly url: string) {
    super();
    FakeEvents.opened.push(this);
  }

  static install(): void {
    FakeEvents.opened = [];
    Object.assign(window, { EventSource: FakeEvents });
  }

  /** The open stream of the page. */
  static get current(): FakeEvents {
    const [open, ...others] = FakeEvents.opened.filter(({ readyState }) => readyState !== 2);
    if (!open || others.length > 0) throw new Error('The page has no event stream, or more than one.');
    return open;
  }

  /** The gateway sends `ready` after each connection and reconnection. */
  ready(): void {
    this.readyState = FakeEvents.OPEN;
    this.#dispatch(new Event('ready'));
  }

  change(...kinds: DashboardEventKind[]): void {
    const data = JSON.stringify({ changes: kinds.map(kind => ({ kind, id: 'any' })) });
    this.#dispatch(new MessageEvent('change', { data }));
  }

  /** The connection breaks. The browser reconnects. */
  lose(): void {
    this.readyState = 0;
  }

  close(): void {
    this.readyState = 2;
  }

  #dispatch(event: Event): void {
    act(() => void this.dispatchEvent(event));
  }
}
