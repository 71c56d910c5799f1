import { Button, Skeleton, Stack, Text } from '@mantine/core';
import type { DashboardRole } from '@rtms/contracts';
import { Component, lazy, Suspense, type ComponentType, type ReactNode } from 'react';
import { Link, Route, Switch, useLocation } from 'wouter';
import { pageGroups, type PageEntry } from '../pages/registry.js';
import { LoadFailure, Page } from '../parts/page.js';

const pagesOf = (role: DashboardRole) => pageGroups[role].flatMap(({ pages }) => pages);

/** Created once: a new lazy component at each render would lose its state. */
const components = new Map<PageEntry, ComponentType>(
  [...pagesOf('owner'), ...pagesOf('administrator')].map(page => [page, lazy(page.load)]),
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

interface BoundaryState {
  error: unknown;
}

/** Keeps header and navigation alive when a page throws. */
class PageBoundary extends Component<{ children: ReactNode }, BoundaryState> {
  override state: BoundaryState = { error: undefined };

  static getDerivedStateFromError(error: unknown): BoundaryState {
    return { error };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === undefined) return this.props.children;
    return <LoadFailure title="This page stopped working" error={error} onRetry={() => location.reload()} />;
  }
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
