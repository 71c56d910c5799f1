import { useEffect, type RefObject } from 'react';

/** A closed dialog gives the focus back to what opened it, 10 ms later. */
const settledMs = 50;

/**
 * Whoever had the focus on something that is gone, such as a deleted row's button, goes on at the top of the content
 * instead of at the beginning of the document.
 */
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
