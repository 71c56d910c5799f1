import { NavLink, Stack, Text } from '@mantine/core';
import type { DashboardRole } from '@rtms/contracts';
import { Link, useLocation } from 'wouter';
import { pageGroups, pagesOf, type PageEntry } from '../pages/registry.js';
import { frameTexts } from '../texts/frame.js';

/** The pages that have an icon, in their groups. */
export function Navigation({ role }: { role: DashboardRole }) {
  const shown = pagesOf(role).filter(({ icon }) => icon !== undefined);
  return (
    <Stack gap="md">
      {pageGroups.map(group => {
        const pages = shown.filter(page => page.group === group);
        return pages.length === 0 ? null : (
          <NavigationGroup key={group} title={frameTexts.groups[group]} pages={pages} />
        );
      })}
    </Stack>
  );
}

function NavigationGroup({ title, pages }: { title: string; pages: readonly PageEntry[] }) {
  return (
    <div role="group" aria-label={title}>
      <Text size="xs" fw={600} c="dimmed" tt="uppercase" px="sm" pb={4} aria-hidden>
        {title}
      </Text>
      {pages.map(page => (
        <PageLink key={page.path} page={page} />
      ))}
    </div>
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
