import type { Operation } from '@rtms/contracts';
import type { RoomBounds } from './room-bounds.js';
import type { RoomScope } from './room-scope.js';

export const keyTypes = ['sandbox', 'production'] as const;
export type KeyType = (typeof keyTypes)[number];

export const accountStates = ['active', 'disabled'] as const;
export type AccountState = (typeof accountStates)[number];

/**
 * `main`: a key of the account itself. `subUser`: a key of one of its sub-users. `disposable`: a key created through the API.
 * `dashboard`: no key, but a signed-in user of the account.
 */
export type KeyKind = 'main' | 'subUser' | 'disposable' | 'dashboard';

/** The sender of a `/v1` request, as the credential shows it. */
export interface Caller extends RoomScope, RoomBounds {
  apiUserName: string;
  keyID: string;
  keyKind: KeyKind;
  /** The environment of the rooms that the caller creates. */
  keyType: KeyType;
  operations: readonly Operation[];
  /** The sub-user that owns the key or created it; null: the account itself. */
  subUserID: string | null;
  /** The owner of the caller's event and recording settings: the account, or a parent-role sub-user. */
  settingsOwnerID: string;
  /** End of the key's validity; null: none. */
  expiresAt: Date | null;
  /** The only domains of a narrowed disposable key; null: not narrowed. */
  domains: readonly string[] | null;
  /** Last stored use of a disposable key. */
  lastUsedAt: Date | null;
}

declare module 'express-serve-static-core' {
  interface Request {
    caller?: Caller;
    /** Whether the domains of the request's proxies may proxy calls that create or join rooms. */
    isProxyAllowed?: boolean;
    administrator?: boolean;
  }
}
