import { Center, Loader, Stack } from '@mantine/core';
import { useLocation } from 'wouter';
import { useSession } from '../api/session.js';
import { LoadFailure } from '../parts/page.js';
import { Frame } from './frame.js';
import { Brand } from './header.js';
import { ResetPasswordPage } from './reset-password-page.js';
import { SignInPage } from './sign-in-page.js';

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
  if (session === undefined) {
    return (
      <Center mih="100vh">
        <Stack align="center">
          <Brand />
          <Loader size="sm" aria-label="Loading" />
        </Stack>
      </Center>
    );
  }
  return session === null ? <SignInPage /> : <Frame session={session} />;
}
