import { Center, Loader, Stack } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { useLocation } from 'wouter';
import { useSession } from '../api/session.js';
import { LoadFailure } from '../parts/page.js';
import { Brand } from './header.js';
import { ResetPasswordPage } from './reset-password-page.js';
import { SignInPage } from './sign-in-page.js';

/** A chunk of its own, so that the sign-in appears sooner. It loads while the gateway answers the request for the session. */
const frame = import('./frame.js');
const Frame = lazy(() => frame);

/** The pages for a signed-in user, else the sign-in. The address stays, so that sign-in leads to the requested page. */
export function Dashboard() {
  const { data: session, error, refetch } = useSession();
  const [location] = useLocation();
  if (location === '/reset-password') return <ResetPasswordPage />;
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
