import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError } from '../api/request.js';
import { forgetSession, isSignedIn } from '../api/session.js';
import { showFailure } from '../parts/actions.js';

const retries = 2;

/**
 * ms after which an action of no component is forgotten: its fields and answer may hold secrets. It is also the pause between looks
 * whether such an action has ended, so 0 would be a loop.
 */
const forgottenMs = 100;

function isWorthAgain(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 0 || error.status >= 500);
}

/** The end of the session leads to the sign-in. Any other failed mutation shows a toast, unless it has `meta: { quiet: true }`. */
export function createQueryClient(): QueryClient {
  const whenSignedOut = (error: unknown): boolean => {
    if (!(error instanceof ApiError && error.isSignedOut)) return false;
    forgetSession(client);
    return true;
  };
  const client = new QueryClient({
    queryCache: new QueryCache({ onError: error => void whenSignedOut(error) }),
    mutationCache: new MutationCache({
      onError: (error, _fields, _context, { meta }) => {
        // Pages for visitors show the refusal of their link or password themselves.
        if (isSignedIn(client) && whenSignedOut(error)) return;
        if (meta?.['quiet'] !== true) showFailure(error);
      },
    }),
    defaultOptions: {
      queries: {
        staleTime: 5_000,
        retry: (count, error) => count < retries && isWorthAgain(error),
        refetchOnWindowFocus: true,
      },
      mutations: { gcTime: forgottenMs },
    },
  });
  return client;
}
