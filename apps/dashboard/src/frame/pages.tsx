import { Button, Skeleton, Stack, Text } from '@mantine/core';
import type { DashboardRole } from '@rtms/contracts';
import { lazy, Suspense, type ComponentType } from 'react';
import { Link, Route, Switch, useLocation } from 'wouter';
import { pageGroups, type PageEntry } from '../pages/registry.js';
import { loadPart } from '../parts/messages.js';
import { Page } from '../parts/page.js';
import { PageBoundary } from './page-boundary.js';

const pagesOf = (role: DashboardRole) => pageGroups[role].flatMap(({ pages }) => pages);

/** Created once: a new lazy component at each render would lose its state. */
const components = new Map<PageEntry, ComponentType>(
  [...pagesOf('owner'), ...pagesOf('administrator')].map(page => [page, lazy(() => loadPart(page.load()))]),
);

/** Loads the page of the address on first use. */
export function Pages({ role }: { role: DashboardRole }) {
  const [location] = useLocation();
  return (
    <PageBoundary key={location}>
      <Suspense fallback={<PageSkeleton />}>
        <Switch>
          {pagesOf(role).map(page => (
            <Route key={page.path} path={page.path} component={components.get(page)} />
          ))}
          <Route component={NotFoundPage} />
        </Switch>
      </Suspense>
    </PageBoundary>
  );
}

function PageSkeleton() {
  return (
    <Stack role="progressbar" aria-label="Loading">
      <Skeleton h={34} w={220} />
      <Skeleton h={220} />
    </Stack>
  );
}

function NotFoundPage() {
  return (
    <Page title="Page not found">
      <Text>No page has this address.</Text>
      <Button component={Link} href="/" variant="light" w="fit-content">
        Back to the start
      </Button>
    </Page>
  );
}
