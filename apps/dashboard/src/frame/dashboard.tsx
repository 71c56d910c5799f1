import { Center, Loader, Stack } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { useLocation } from 'wouter';
import { useSession } from '../api/session.js';
import { LoadFailure } from '../parts/page.js';
import { Brand } from './header.js';
import { SignInPage } from './sign-in-page.js';

/** A chunk of its own, so that the sign-in appears sooner. It loads while the gateway answers the request for the session. */
const frame = import('./frame.js');
const Frame = lazy(() => frame);
const LinkPage = lazy(() => import('./link-pages.js'));
const WatchPage = lazy(() => import('../watch/watch-page.js'));

/** A page without sign-in, or the pages for a signed-in user. */
export function Dashboard() {
  const [location] = useLocation();
  if (location === '/reset-password' || location === '/invitation') {
    return (
      <Suspense fallback={<Loading />}>
        <LinkPage path={location} />
      </Suspense>
    );
  }
  if (location !== '/watch') return <SignedIn />;
  return (
    <Suspense fallback={<Loading />}>
      <WatchPage />
    </Suspense>
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
  if (session === null) return <SignInPage />;
  return (
    <Suspense fallback={<Loading />}>
      <Frame session={session} />
    </Suspense>
  );
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
