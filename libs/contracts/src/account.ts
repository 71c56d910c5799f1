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
