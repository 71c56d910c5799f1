import { useEffect, type RefObject } from 'react';

/**
 * Whoever had the focus on something that is gone, such as a deleted row's button, goes on at the top of the content
 * instead of at the beginning of the document.
 */
export function useKeptFocus(content: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    let last: Element | null = null;
    const note = ({ target }: FocusEvent) => {
      last = target instanceof Element ? target : null;
    };
    const mend = () => {
      if (!last || last.isConnected || document.activeElement !== document.body) return;
      last = null;
      content.current?.focus({ preventScroll: true });
    };
    const observer = new MutationObserver(mend);
    observer.observe(document.body, { childList: true, subtree: true });
    document.addEventListener('focusin', note);
    return () => {
      observer.disconnect();
      document.removeEventListener('focusin', note);
    };
  }, [content]);
}
