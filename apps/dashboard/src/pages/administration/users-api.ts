import type { AdminRecord } from '../../api/records.js';
import { request } from '../../api/request.js';
import { listOf, type Listing, type PageOf } from '../../api/resource.js';

export type User = AdminRecord<'DashboardUser'>;
export type IssuedUser = AdminRecord<'IssuedDashboardUser'>;

const base = '/admin/v1/dashboard-users';

function userPath(userID: string, part = ''): string {
  return `${base}/${encodeURIComponent(userID)}${part}`;
}

export function listUsers(page: PageOf, signal: AbortSignal): Promise<Listing<User>> {
  return listOf<User>(base, 'users', { ...page }, signal);
}

/** The answer holds the password, once. */
export async function createUser(body: AdminRecord<'AdminDashboardUsersCreateBody'>): Promise<IssuedUser> {
  return (await request<{ user: IssuedUser }>('POST', base, { body })).user;
}

/** The answer holds the new password, once. */
export async function resetPassword(userID: string): Promise<IssuedUser> {
  return (await request<{ user: IssuedUser }>('POST', userPath(userID, '/reset-password'), { body: {} })).user;
}

/** The answer holds the link, once. */
export async function makeResetLink(userID: string): Promise<string> {
  const { resetLink } = await request<{ resetLink: { url: string } }>('POST', userPath(userID, '/reset-link'), {
    body: {},
  });
  return resetLink.url;
}

export async function resetSecondFactor(userID: string): Promise<void> {
  await request('POST', userPath(userID, '/reset-totp'), { body: {} });
}

export async function deleteUser(userID: string): Promise<void> {
  await request('DELETE', userPath(userID));
}
