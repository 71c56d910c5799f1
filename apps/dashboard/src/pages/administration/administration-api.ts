import { request } from '../../api/request.js';
import { listOf, type AdminRecord, type Listing, type PageOf } from '../../api/resource.js';

export type Account = AdminRecord<'Account'>;
export type MediaNode = AdminRecord<'Node'>;
export type Balance = AdminRecord<'Balance'>;
export type FeatureStates = AdminRecord<'FeatureStates'>;
export type Feature = keyof FeatureStates;
export type Entitlements = AdminRecord<'Entitlements'>;
export type Entitlement = keyof Entitlements;
export type Limits = AdminRecord<'AccountLimits'>;
export type Limit = keyof Limits;
type MinutesOfType = AdminRecord<'SetAccountBalanceBody'>;

const base = '/admin/v1';

export function accountPath(accountID: string, part = ''): string {
  return `${base}/accounts/${encodeURIComponent(accountID)}${part}`;
}

export function listAccounts(page: PageOf, signal?: AbortSignal): Promise<Listing<Account>> {
  return listOf<Account>(`${base}/accounts`, 'accounts', { ...page }, signal);
}

export async function createAccount(body: AdminRecord<'CreateAccountBody'>): Promise<Account> {
  return (await request<{ account: Account }>('POST', `${base}/accounts`, { body })).account;
}

export async function findAccount(accountID: string, signal?: AbortSignal): Promise<Account> {
  return (await request<{ account: Account }>('GET', accountPath(accountID), { signal })).account;
}

export async function setAccountEnabled(accountID: string, isEnabled: boolean): Promise<void> {
  await request('POST', accountPath(accountID, isEnabled ? '/enable' : '/disable'), { body: {} });
}

export async function renameAccount(accountID: string, name: string): Promise<void> {
  await request('POST', accountPath(accountID, '/rename'), { body: { name } });
}

export async function deleteAccount(accountID: string): Promise<void> {
  await request('DELETE', accountPath(accountID));
}

export async function restoreAccount(accountID: string): Promise<void> {
  await request('POST', accountPath(accountID, '/restore'), { body: {} });
}

export async function readBalance(accountID: string, signal?: AbortSignal): Promise<Balance> {
  return (await request<{ balance: Balance }>('GET', accountPath(accountID, '/balance'), { signal })).balance;
}

export async function setMinutes(accountID: string, body: MinutesOfType): Promise<void> {
  await request('PUT', accountPath(accountID, '/balance'), { body });
}

export async function readEntitlements(accountID: string, signal?: AbortSignal): Promise<Entitlements> {
  const answer = request<{ entitlements: Entitlements }>('GET', accountPath(accountID, '/entitlements'), { signal });
  return (await answer).entitlements;
}

export async function setEntitlement(accountID: string, entitlement: Entitlement, granted: boolean): Promise<void> {
  await request('PUT', accountPath(accountID, '/entitlements'), { body: { entitlement, granted } });
}

export async function readLimits(accountID: string, signal?: AbortSignal): Promise<Limits> {
  return (await request<{ limits: Limits }>('GET', accountPath(accountID, '/limits'), { signal })).limits;
}

/** `null`: the plan's default. */
export async function setLimits(accountID: string, changes: Record<Limit, number | null>): Promise<void> {
  await request('PUT', accountPath(accountID, '/limits'), { body: changes });
}

/** undefined: the features of the platform. */
export async function readFeatures(accountID: string | undefined, signal?: AbortSignal): Promise<FeatureStates> {
  const answer = request<{ features: FeatureStates }>('GET', `${base}/features`, { query: { accountID }, signal });
  return (await answer).features;
}

export async function setFeature(accountID: string | undefined, feature: Feature, enabled: boolean): Promise<void> {
  const body = { feature, enabled, ...(accountID !== undefined && { accountID }) };
  await request('PUT', `${base}/features`, { body });
}

export async function readNodes(signal: AbortSignal): Promise<MediaNode[]> {
  return (await request<{ nodes: MediaNode[] }>('GET', `${base}/nodes`, { signal })).nodes;
}

export async function setDraining(nodeID: string, isDraining: boolean): Promise<void> {
  await request('POST', `${base}/nodes/${encodeURIComponent(nodeID)}/${isDraining ? 'drain' : 'undrain'}`, {
    body: {},
  });
}

export type User = AdminRecord<'DashboardUser'>;
export type IssuedUser = AdminRecord<'IssuedDashboardUser'>;

const usersPath = `${base}/dashboard-users`;

function userPath(userID: string, part = ''): string {
  return `${usersPath}/${encodeURIComponent(userID)}${part}`;
}

export function listUsers(page: PageOf, signal: AbortSignal): Promise<Listing<User>> {
  return listOf<User>(usersPath, 'users', { ...page }, signal);
}

/** The response holds the password, once. */
export async function createUser(body: AdminRecord<'CreateDashboardUserBody'>): Promise<IssuedUser> {
  return (await request<{ user: IssuedUser }>('POST', usersPath, { body })).user;
}

/** The response holds the new password, once. */
export async function resetPassword(userID: string): Promise<IssuedUser> {
  return (await request<{ user: IssuedUser }>('POST', userPath(userID, '/reset-password'), { body: {} })).user;
}

/** The response holds the link, once. */
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
