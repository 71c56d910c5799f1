import { Skeleton, Stack } from '@mantine/core';
import type { DashboardRole } from '@rtms/contracts';
import { lazy, Suspense, type ComponentType } from 'react';
import { Route, Switch, useLocation } from 'wouter';
import { frameTexts } from '../texts/frame.js';
import { pages, pagesOf, type PageEntry } from '../pages/registry.js';
import { NotFoundPage } from './not-found-page.js';
import { PageBoundary } from './page-boundary.js';

/** Made once: a component that is lazy anew with every render would lose its state. */
const components = new Map<PageEntry, ComponentType>(pages.map(page => [page, lazy(page.load)]));

/** The page that the address names, loaded when it is first wanted. */
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
    <Stack role="progressbar" aria-label={frameTexts.loading}>
      <Skeleton h={34} w={220} />
      <Skeleton h={220} />
    </Stack>
  );
}
