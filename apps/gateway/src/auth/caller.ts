import type { Operation } from './operations.js';

export const keyTypes = ['sandbox', 'production'] as const;
export type KeyType = (typeof keyTypes)[number];

/** Who sent a `/v1` request, as far as its credential says. */
export interface Caller {
  accountID: string;
  apiUserName: string;
  keyID: string;
  keyType: KeyType;
  operations: readonly Operation[];
}

/** Whose event and recording settings a caller reads and changes. */
export function settingsOwner({ accountID }: Caller): string {
  return accountID;
}

declare module 'express-serve-static-core' {
  interface Request {
    caller?: Caller;
    administrator?: boolean;
  }
}
