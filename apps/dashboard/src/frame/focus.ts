import { useEffect, useRef, type RefObject } from 'react';

/** Mantine returns the focus 10 ms after a dialog closes. */
const settledMs = 50;

/** Moves the focus to the content if its element disappears, such as the button of a deleted row. */
export function useKeptFocus(content: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    let last: Element | null = null;
    let timer: number | undefined;
    const note = ({ target }: FocusEvent) => {
      last = target instanceof Element ? target : null;
    };
    const isLost = () => last !== null && !last.isConnected && document.activeElement === document.body;
    const mend = () => {
      if (isLost()) content.current?.focus({ preventScroll: true });
    };
    const observer = new MutationObserver(() => {
      if (!isLost()) return;
      window.clearTimeout(timer);
      timer = window.setTimeout(mend, settledMs);
    });
    observer.observe(document.body, { childList: true, subtree: true });
    document.addEventListener('focusin', note);
    return () => {
      window.clearTimeout(timer);
      observer.disconnect();
      document.removeEventListener('focusin', note);
    };
  }, [content]);
}

/** Moves the focus to the top of a page that a link opened. */
export function useContentFocus(location: string) {
  const content = useRef<HTMLElement>(null);
  const shown = useRef(location);
  useEffect(() => {
    if (shown.current === location) return;
    shown.current = location;
    window.scrollTo(0, 0);
    content.current?.focus({ preventScroll: true });
  }, [location]);
  return content;
}
