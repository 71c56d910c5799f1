import type { ComponentType } from 'react';

interface VisitorPage {
  /** Below `/dashboard`. */
  path: string;
  load: () => Promise<{ default: ComponentType }>;
}

/** The pages without sign-in, which links from outside open. They are apart from the registry, so that the sign-in loads few scripts. */
export const visitorPages: readonly VisitorPage[] = [
  { path: '/watch', load: () => import('../watch/watch-page.js') },
  { path: '/reset-password', load: () => import('./link-pages.js') },
  { path: '/invitation', load: () => import('./link-pages.js') },
  { path: '/setup', load: () => import('./setup-page.js') },
];
