import { NavLink, Stack, Text } from '@mantine/core';
import type { DashboardRole } from '@rtms/contracts';
import { Link, useLocation } from 'wouter';
import { pageGroups, type PageEntry } from '../pages/registry.js';

/** Links to the pages that have an icon. */
export function Navigation({ role }: { role: DashboardRole }) {
  return (
    <Stack gap="md">
      {pageGroups[role].map(({ title, pages }) => (
        <div key={title} role="group" aria-label={title}>
          <Text size="xs" fw={600} c="dimmed" tt="uppercase" px="sm" pb={4} aria-hidden>
            {title}
          </Text>
          {pages.map(page => page.icon && <PageLink key={page.path} page={page} />)}
        </div>
      ))}
    </Stack>
  );
}

function PageLink({ page: { path, title, icon: PageIcon } }: { page: PageEntry }) {
  const [location] = useLocation();
  const isCurrent = path === '/' ? location === '/' : location === path || location.startsWith(`${path}/`);
  return (
    <NavLink
      component={Link}
      href={path}
      label={title}
      active={isCurrent}
      aria-current={isCurrent ? 'page' : undefined}
      leftSection={PageIcon && <PageIcon size={18} stroke={1.7} aria-hidden />}
      className="page-link"
    />
  );
}
