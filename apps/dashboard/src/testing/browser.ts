import { FakeWorker } from './fake-worker.js';

/** Parts of a browser that jsdom lacks and Mantine needs. */
class NoResizeObserver implements ResizeObserver {
  observe(): void {
    /* jsdom has no layout, so nothing ever changes its size. */
  }
  unobserve(): void {
    /* See observe. */
  }
  disconnect(): void {
    /* See observe. */
  }
}

/** Every media query answers no: light colours, motion allowed, the narrowest screen. */
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
