import type { Operation } from '@rtms/contracts';
import type { RoomBounds } from './room-bounds.js';
import type { RoomScope } from './room-scope.js';

export const keyTypes = ['sandbox', 'production'] as const;
export type KeyType = (typeof keyTypes)[number];

export const accountStates = ['active', 'disabled'] as const;
export type AccountState = (typeof accountStates)[number];

/**
 * `main`: a key of the account itself; `subUser`: a key of one of its sub-users; `disposable`: a key made through the API;
 * `dashboard`: no key, a user of the account who signed in.
 */
export type KeyKind = 'main' | 'subUser' | 'disposable' | 'dashboard';

/** Who sent a `/v1` request, as far as its credential says. */
export interface Caller extends RoomScope, RoomBounds {
  apiUserName: string;
  keyID: string;
  keyKind: KeyKind;
  /** The environment of the rooms that the caller makes. */
  keyType: KeyType;
  operations: readonly Operation[];
  /** Whose key it is, or who made it; null: the account itself. */
  subUserID: string | null;
  /** Whose event and recording settings the caller reads and changes: the account, or a parent-role sub-user. */
  settingsOwnerID: string;
  /** When the key ends; null: never. */
  expiresAt: Date | null;
  /** Of a disposable key that was narrowed to these. */
  domains: readonly string[] | null;
  /** Of a disposable key, as far as it was written down. */
  lastUsedAt: Date | null;
}

/** Whose event and recording settings a caller reads and changes. */
export function settingsOwner({ settingsOwnerID }: Caller): string {
  return settingsOwnerID;
}

declare module 'express-serve-static-core' {
  interface Request {
    caller?: Caller;
    /** Whether the domains that passed the request on may do so for calls that make or join rooms. */
    isProxyAllowed?: boolean;
    administrator?: boolean;
  }
}
