import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { showFailure } from '../parts/toasts.js';
import { ApiError } from './api-error.js';
import { forgetSession } from './session.js';

const retries = 2;

function isWorthAgain(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 0 || error.status >= 500);
}

/** A mutation with `meta: { quiet: true }` shows its failure itself. */
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
        if (meta?.['quiet'] !== true && !whenSignedOut(error)) showFailure(error);
      },
    }),
    defaultOptions: {
      queries: {
        staleTime: 5_000,
        retry: (count, error) => count < retries && isWorthAgain(error),
        refetchOnWindowFocus: true,
      },
    },
  });
  return client;
}
