import { Center, Loader, Stack } from '@mantine/core';
import { lazy, Suspense, type ReactNode } from 'react';
import { useLocation } from 'wouter';
import { useIsEmpty, useSession } from '../api/session.js';
import { loadPart } from '../parts/messages.js';
import { LoadFailure } from '../parts/page.js';
import { Brand } from './header.js';
import { PageBoundary } from './page-boundary.js';
import { SignInPage } from './sign-in-page.js';
import { visitorPages } from './visitor-pages.js';

/** A chunk of its own, so that the sign-in appears sooner. It loads while the gateway answers the request for the session. */
const frame = loadPart(import('./frame.js'));
// The boundary shows the failure once a user is signed in.
frame.catch(() => undefined);
const Frame = lazy(() => frame);

const forVisitors = new Map<string, ReactNode>(
  visitorPages.map(({ path, load }) => {
    const VisitorPage = lazy(() => loadPart(load()));
    return [path, <VisitorPage key={path} />];
  }),
);

/** A page without sign-in, or the pages for a signed-in user. */
export function Dashboard() {
  const [location] = useLocation();
  return (
    <PageBoundary>
      <Suspense fallback={<Loading />}>{forVisitors.get(location) ?? <SignedIn />}</Suspense>
    </PageBoundary>
  );
}

/** The sign-in keeps the address, so that it leads to the requested page. */
function SignedIn() {
  const { data: session, error, refetch } = useSession();
  if (error) {
    return (
      <Center mih="100vh" p="md">
        <LoadFailure error={error} onRetry={() => void refetch()} />
      </Center>
    );
  }
  if (session === undefined) return <Loading />;
  if (session === null) return <SignedOut />;
  return <Frame session={session} />;
}

/** The first visit of an installation without users creates the administrator. */
function SignedOut() {
  const isEmpty = useIsEmpty();
  if (isEmpty === undefined) return <Loading />;
  return isEmpty ? forVisitors.get('/setup') : <SignInPage />;
}

function Loading() {
  return (
    <Center mih="100vh">
      <Stack align="center">
        <Brand />
        <Loader size="sm" aria-label="Loading" />
      </Stack>
    </Center>
  );
}
