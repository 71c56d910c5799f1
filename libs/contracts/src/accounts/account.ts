/** Characters of a dashboard user's password. */
export const passwordCharacters = { min: 12, max: 256 } as const;

/** Hours that a key may stay valid after its rotation. */
export const keyOverlapHours = { min: 0, max: 72 } as const;

/** Validity of a disposable key in days. */
export const keyValidityDays = { min: 1, max: 3650 } as const;

/** Features of an account, which the administrator grants or revokes. */
export const entitlements = ['whip', 'whep', 'hls', 'recording'] as const;
export type Entitlement = (typeof entitlements)[number];
export type EntitlementStates = Record<Entitlement, boolean>;

/** Operations that a key or a sub-user may have, in display order. A main key has all of them. */
export const operations = [
  'createRoom',
  'joinRoom',
  'readRooms',
  'manageRooms',
  'ingestMedia',
  'playMedia',
  'broadcastMedia',
  'readRecordings',
  'manageRecordings',
  'readSettings',
  'manageSettings',
  'readBalance',
  'readLogs',
  'manageSubUsers',
  'manageDomains',
  'manageKeys',
  'manageAiCredentials',
  'manageSip',
  'manageTranslation',
  'manageAgents',
  'manageWebhooks',
] as const;
export type Operation = (typeof operations)[number];

/** The roles of an account's users, the one with the fewest rights first. Each role has all rights of the roles before it. */
export const accountRoles = ['viewer', 'developer', 'owner'] as const;
export type AccountRole = (typeof accountRoles)[number];

export const dashboardRoles = [...accountRoles, 'administrator'] as const;
/** `administrator`: of the platform, without an account. The other roles are those of one account. */
export type DashboardRole = (typeof dashboardRoles)[number];

export function isAccountRole(role: DashboardRole): role is AccountRole {
  return role !== 'administrator';
}

/** Returns whether a user has the rights of an account role. An administrator has no account and thus none of them. */
export function hasRole(role: DashboardRole, needed: AccountRole): boolean {
  return isAccountRole(role) && accountRoles.indexOf(role) >= accountRoles.indexOf(needed);
}

/** A viewer changes nothing and gets no token, so it has only operations that read. */
const viewerOperations = ['readRooms', 'readRecordings', 'readSettings', 'readBalance', 'readLogs'] as const;
/** Sub-users hold keys of their own, so only owners manage them. */
const ownerOperations: readonly Operation[] = ['manageSubUsers'];

/** The operations with which a user of an account calls `/v1`. */
export const operationsOfRole: Readonly<Record<AccountRole, readonly Operation[]>> = {
  viewer: viewerOperations,
  developer: operations.filter(each => !ownerOperations.includes(each)),
  owner: operations,
};
