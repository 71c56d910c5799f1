import type { DashboardRole } from '@rtms/contracts';
import { IconWorld, type Icon } from '@tabler/icons-react';
import type { ComponentType } from 'react';
import { frameTexts } from '../texts/frame.js';

/** In the order of the navigation. */
export const pageGroups = ['monitor', 'access', 'settings', 'ai', 'developer', 'platform'] as const;

export interface PageEntry {
  /** Below `/dashboard`; `:name` is a parameter, read with `useParams`. */
  path: string;
  title: string;
  group: (typeof pageGroups)[number];
  roles: readonly DashboardRole[];
  /** A page without one is reached from another page only. */
  icon?: Icon;
  load: () => Promise<{ default: ComponentType }>;
}

const owner = ['owner'] as const;
const titles = frameTexts.pages;

/** Every page. A new one is one entry here, in the order of its group. */
export const pages: readonly PageEntry[] = [
  {
    path: '/domains',
    title: titles.domains,
    group: 'access',
    roles: owner,
    icon: IconWorld,
    load: () => import('./domains/domains-page.js'),
  },
];

export function pagesOf(role: DashboardRole): readonly PageEntry[] {
  return pages.filter(({ roles }) => roles.includes(role));
}
