import {
  hasRole,
  isAccountRole,
  operationsOfRole,
  type AccountRole,
  type CurrentSessionAnswer,
  type DashboardSession,
  type Operation,
  type SessionAnswer,
  type SignInRequest,
} from '@rtms/contracts';
import { useMutation, useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { dashboardRequest, setCsrfToken } from './request.js';

const sessionKey = ['session'] as const;

/** `null`: no user is signed in. */
type MaybeSession = DashboardSession | null;

/** Drops all data of the user who was signed in. */
export function forgetSession(client: QueryClient): void {
  client.removeQueries({ predicate: ({ queryKey: [first] }) => first !== sessionKey[0] });
  client.setQueryData<MaybeSession>(sessionKey, null);
}

/** Whether the page shows a user. */
export function isSignedIn(client: QueryClient): boolean {
  return Boolean(client.getQueryData<MaybeSession>(sessionKey));
}

function keep(session: DashboardSession): DashboardSession {
  setCsrfToken(session.csrfToken);
  return session;
}

async function readSession(): Promise<MaybeSession> {
  const { session } = await dashboardRequest<CurrentSessionAnswer>('GET', '/session');
  return session && keep(session);
}

export function useSession() {
  return useQuery({ queryKey: sessionKey, queryFn: readSession, staleTime: Infinity });
}

/** For pages: they are shown only to a signed-in user. */
export function useSignedIn(): DashboardSession {
  const { data } = useSession();
  if (!data) throw new Error('No user is signed in.');
  return data;
}

/** Returns whether the user has this role in the account, or a higher one. */
export function useHasRole(role: AccountRole): boolean {
  return hasRole(useSignedIn().user.role, role);
}

/** Returns whether the role of the user includes the operation. The gateway refuses it otherwise, so pages leave its buttons out. */
export function useMay(operation: Operation): boolean {
  const { role } = useSignedIn().user;
  return isAccountRole(role) && operationsOfRole[role].includes(operation);
}

/** A mutation whose response carries the session; the session is stored. */
export function useSessionChange<Fields, Answer extends SessionAnswer>(send: (fields: Fields) => Promise<Answer>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (fields: Fields) => {
      const answer = await send(fields);
      keep(answer.session);
      return answer;
    },
    onSuccess: ({ session }) => client.setQueryData<MaybeSession>(sessionKey, session),
    meta: { quiet: true },
  });
}

export function useSignIn() {
  return useSessionChange((fields: SignInRequest) =>
    dashboardRequest<SessionAnswer>('POST', '/session', { body: fields }),
  );
}

interface FirstAdministrator {
  code: string;
  email: string;
  newPassword: string;
}

/** Creates the first administrator and signs in. */
export function useSetUp() {
  return useSessionChange(async ({ code, email, newPassword }: FirstAdministrator) => {
    await dashboardRequest('POST', '/setup', { body: { code, email, newPassword } });
    return dashboardRequest<SessionAnswer>('POST', '/session', { body: { email, password: newPassword } });
  });
}

/** Returns whether nobody can sign in yet; undefined until the gateway answers. Without an answer the sign-in says why it fails. */
export function useIsEmpty(): boolean | undefined {
  const { data, isPending } = useQuery({
    queryKey: ['setup'],
    queryFn: () => dashboardRequest<{ setup: { isEmpty: boolean } }>('GET', '/setup'),
    staleTime: Infinity,
    retry: false,
  });
  return isPending ? undefined : data?.setup.isEmpty === true;
}

export function useSignOut() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => dashboardRequest('DELETE', '/session'),
    onSuccess: () => forgetSession(client),
  });
}
