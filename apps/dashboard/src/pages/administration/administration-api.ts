import { request, type QueryValues } from '../../api/request.js';
import { listOf, type AdminRecord, type PageOf } from '../../api/resource.js';

export type Account = AdminRecord<'Account'>;
export type MediaNode = AdminRecord<'Node'>;
export type NodeWork = AdminRecord<'NodeWork'>;
export type Balance = AdminRecord<'Balance'>;
export type FeatureStates = AdminRecord<'FeatureStates'>;
export type Feature = keyof FeatureStates;
export type Entitlements = AdminRecord<'Entitlements'>;
export type Entitlement = keyof Entitlements;
export type Limits = AdminRecord<'AccountLimits'>;
export type Limit = keyof Limits;
export type User = AdminRecord<'DashboardUser'>;
export type IssuedUser = AdminRecord<'IssuedDashboardUser'>;
export type PlatformStatus = AdminRecord<'PlatformStatus'>;
export type LiveAccount = AdminRecord<'LiveAccount'>;
export type ActiveRoom = AdminRecord<'ActiveRoom'>;
export type LiveSession = AdminRecord<'LiveSession'>;
export type Finding = AdminRecord<'Finding'>;

const base = '/admin/v1';

export function accountPath(accountID: string, part = ''): string {
  return `${base}/accounts/${encodeURIComponent(accountID)}${part}`;
}

function userPath(userID: string, part = ''): string {
  return `${base}/dashboard-users/${encodeURIComponent(userID)}${part}`;
}

function nodePath(nodeID: string, part: string): string {
  return `${base}/nodes/${encodeURIComponent(nodeID)}${part}`;
}

interface ReadOptions {
  query?: QueryValues;
  signal?: AbortSignal | undefined;
}

/** Reads the field `name` of a response. */
async function read<Value>(path: string, name: string, options: ReadOptions): Promise<Value> {
  return (await request<Record<string, Value>>('GET', path, options))[name] as Value;
}

function post<Answer>(path: string, body: object = {}): Promise<Answer> {
  return request<Answer>('POST', path, { body });
}

function put(path: string, body: object): Promise<unknown> {
  return request('PUT', path, { body });
}

export const listAccounts = (page: PageOf, signal?: AbortSignal) =>
  listOf<Account>(`${base}/accounts`, 'accounts', { ...page }, signal);
export const createAccount = (body: AdminRecord<'CreateAccountBody'>) => post(`${base}/accounts`, body);
export const findAccount = (accountID: string, signal?: AbortSignal) =>
  read<Account>(accountPath(accountID), 'account', { signal });
export const setAccountEnabled = (accountID: string, isEnabled: boolean) =>
  post(accountPath(accountID, isEnabled ? '/enable' : '/disable'));
export const renameAccount = (accountID: string, name: string) => post(accountPath(accountID, '/rename'), { name });
export const deleteAccount = (accountID: string) => request('DELETE', accountPath(accountID));
export const restoreAccount = (accountID: string) => post(accountPath(accountID, '/restore'));

export const readBalance = (accountID: string, signal?: AbortSignal) =>
  read<Balance>(accountPath(accountID, '/balance'), 'balance', { signal });
export const setMinutes = (accountID: string, body: AdminRecord<'SetAccountBalanceBody'>) =>
  put(accountPath(accountID, '/balance'), body);

export const readEntitlements = (accountID: string, signal?: AbortSignal) =>
  read<Entitlements>(accountPath(accountID, '/entitlements'), 'entitlements', { signal });
export const setEntitlement = (accountID: string, entitlement: Entitlement, granted: boolean) =>
  put(accountPath(accountID, '/entitlements'), { entitlement, granted });

export const readLimits = (accountID: string, signal?: AbortSignal) =>
  read<Limits>(accountPath(accountID, '/limits'), 'limits', { signal });
/** `null`: the plan's default. */
export const setLimits = (accountID: string, changes: Record<Limit, number | null>) =>
  put(accountPath(accountID, '/limits'), changes);

/** undefined: the features of the platform. */
export const readFeatures = (accountID: string | undefined, signal?: AbortSignal) =>
  read<FeatureStates>(`${base}/features`, 'features', { query: { accountID }, signal });
export const setFeature = (accountID: string | undefined, feature: Feature, enabled: boolean) =>
  put(`${base}/features`, { feature, enabled, ...(accountID !== undefined && { accountID }) });

/** Live media by feature. */
export const readFeatureUse = (signal: AbortSignal) =>
  read<Record<Feature, number>>(`${base}/features/use`, 'use', { signal });

export const readNodes = (signal: AbortSignal) => read<MediaNode[]>(`${base}/nodes`, 'nodes', { signal });
/** `force`: also the last node of its kind. */
export const drainNode = (nodeID: string, force: boolean) => post(nodePath(nodeID, '/drain'), force ? { force } : {});
export const undrainNode = (nodeID: string) => post(nodePath(nodeID, '/undrain'));
export const readNodeWork = (nodeID: string, signal: AbortSignal) =>
  read<NodeWork>(nodePath(nodeID, '/work'), 'work', { signal });

export const readStatus = (signal: AbortSignal) => read<PlatformStatus>(`${base}/status`, 'status', { signal });
export const listLiveAccounts = (page: PageOf, signal: AbortSignal) =>
  listOf<LiveAccount>(`${base}/live-accounts`, 'accounts', { ...page }, signal);
/** undefined: of all accounts. */
export const listActiveRooms = (accountID: string | undefined, page: PageOf, signal: AbortSignal) =>
  listOf<ActiveRoom>(`${base}/rooms`, 'rooms', { accountID, ...page }, signal);
export const listLiveSessions = (accountID: string | undefined, page: PageOf, signal: AbortSignal) =>
  listOf<LiveSession>(`${base}/external-sessions`, 'externalSessions', { accountID, ...page }, signal);
/** Takes some seconds. */
export const runDoctor = () => read<Finding[]>(`${base}/doctor`, 'findings', {});

export const listUsers = (page: PageOf, signal: AbortSignal) =>
  listOf<User>(`${base}/dashboard-users`, 'users', { ...page }, signal);
/** The response holds the password, once. */
export const createUser = (body: AdminRecord<'CreateDashboardUserBody'>) =>
  post<{ user: IssuedUser }>(`${base}/dashboard-users`, body);
/** The response holds the new password, once. */
export const resetPassword = (userID: string) => post<{ user: IssuedUser }>(userPath(userID, '/reset-password'));
/** The response holds the link, once. */
export const makeResetLink = (userID: string) => post<{ resetLink: { url: string } }>(userPath(userID, '/reset-link'));
export const resetSecondFactor = (userID: string) => post(userPath(userID, '/reset-totp'));
export const deleteUser = (userID: string) => request('DELETE', userPath(userID));
