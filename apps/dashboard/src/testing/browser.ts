import { FakeWorker } from './fake-worker.js';

/** jsdom lacks these, and Mantine needs them. */
class NoResizeObserver implements ResizeObserver {
  observe(): void {
    /* jsdom has no layout, so no size changes. */
  }
  unobserve(): void {
    /* See observe. */
  }
  disconnect(): void {
    /* See observe. */
  }
}

/** No media query matches: light colors, motion allowed, the narrowest screen. */
function matchMedia(media: string): MediaQueryList {
  const target = new EventTarget();
  return Object.assign(target, {
    matches: false,
    media,
    onchange: null,
    addListener: () => undefined,
    removeListener: () => undefined,
  });
}

Object.assign(window, { matchMedia, ResizeObserver: NoResizeObserver, Worker: FakeWorker, scrollTo: () => undefined });
Element.prototype.scrollIntoView = () => undefined;
Object.defineProperty(document, 'fonts', { value: new EventTarget() });
