import { Center, Loader, Stack } from '@mantine/core';
import { useLocation } from 'wouter';
import { useSession } from '../api/session.js';
import { LoadFailure } from '../parts/load-failure.js';
import { frameTexts } from '../texts/frame.js';
import { Brand } from './brand.js';
import { Frame } from './frame.js';
import { ResetPasswordPage } from './reset-password-page.js';
import { SignInPage } from './sign-in-page.js';

/** The page of whoever is signed in, else the way in. The address stays, so that signing in leads to what was asked for. */
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
  if (session === undefined) {
    return (
      <Center mih="100vh">
        <Stack align="center">
          <Brand />
          <Loader size="sm" aria-label={frameTexts.loading} />
        </Stack>
      </Center>
    );
  }
  return session === null ? <SignInPage /> : <Frame session={session} />;
}
