import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { Operation } from '@rtms/contracts';
import type { AccountState } from '../accounts/account.entity.js';
import { isDisposableKey } from '../disposable-keys/disposable-key-text.js';
import { sameHash } from '../secrets/keyed-hash.js';
import { KeyedHasher } from '../secrets/keyed-hasher.js';
import type { KeyType } from './caller.js';
import type { SubUserRole } from './granted-operations.js';
import type { RoomBounds } from './room-bounds.js';

/** A key with everything that decides what it may do now. */
export interface FoundKey extends RoomBounds {
  keyID: string;
  keyType: KeyType;
  accountID: string;
  accountState: AccountState;
  apiUserName: string;
  subUserID: string | null;
  subUserRole: SubUserRole | null;
  subUserState: AccountState | null;
  permissions: Operation[] | null;
  /** Of a disposable key; null for any other. */
  operations: Operation[] | null;
  domains: string[] | null;
  expiresAt: Date | null;
  revokedAt: Date | null;
  /** Of a lasting key. */
  disabledAt: Date | null;
  lastUsedAt: Date | null;
  /** Those of the asked-for domains that the account registered and enabled. */
  registeredDomains: string[];
}

interface Queryable {
  query<Rows>(statement: string, parameters?: unknown[]): Promise<Rows>;
}

const statement = (table: string, disposableColumns: string): string => `
SELECT k.hash, k.id AS "keyID", k.type AS "keyType", k.expires_at AS "expiresAt", k.revoked_at AS "revokedAt",
  ${disposableColumns}, a.id AS "accountID", a.state AS "accountState",
  COALESCE(s.api_user_name, a.api_user_name) AS "apiUserName",
  s.id AS "subUserID", s.role AS "subUserRole", s.state AS "subUserState", s.permissions,
  ARRAY(SELECT d.domain FROM domains d WHERE d.account_id = a.id AND d.domain = ANY($2) AND d.enabled)
    AS "registeredDomains"
FROM ${table} k JOIN accounts a ON a.id = k.account_id LEFT JOIN sub_users s ON s.id = k.sub_user_id
WHERE k.hash = $1`;

const lastingStatement = statement(
  'api_keys',
  'NULL AS operations, NULL AS domains, NULL AS "meetingIDs", NULL AS "maxRole", NULL AS "lastUsedAt", k.disabled_at AS "disabledAt"',
);
const disposableStatement = statement(
  'disposable_keys',
  'k.operations, k.domains, k.meeting_ids AS "meetingIDs", k.max_role AS "maxRole", k.last_used_at AS "lastUsedAt", NULL AS "disabledAt"',
);

/**
 * Finds keys of every kind anew for each request, so that what is revoked or disabled on one replica is refused by
 * all of them at once. One look-up by the index of hashes; what is found is compared once more in constant time.
 */
@Injectable()
export class KeyLookUp {
  constructor(
    @InjectDataSource() private readonly database: Queryable,
    private readonly hasher: KeyedHasher,
  ) {}

  /** `domains`: which ones could cover where the request comes from. */
  async find(apiKey: string, domains: readonly string[] = []): Promise<FoundKey | undefined> {
    const hash = await this.hasher.hash('api-key-hash', apiKey);
    const asked = isDisposableKey(apiKey) ? disposableStatement : lastingStatement;
    const rows = await this.database.query<({ hash: Buffer } & FoundKey)[]>(asked, [hash, domains]);
    return rows.find(row => sameHash(row.hash, hash));
  }
}
