import { Injectable } from '@nestjs/common';
import type { Operation } from '@rtms/contracts';
import { DataSource } from 'typeorm';
import { isDisposableKey } from '../keys/key-text.js';
import { sameHash } from '../../platform/secrets/cryptography.js';
import { SharedReads } from '../../platform/jobs/shared-reads.js';
import { KeyedHasher } from '../../platform/secrets/keyed-hasher.js';
import type { AccountState, KeyType } from '../../platform/auth/caller.js';
import type { SubUserRole } from '../../platform/auth/granted-operations.js';
import type { RoomBounds } from '../../platform/auth/room-bounds.js';

/** A key with all data that its rights depend on. */
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
  /** null unless the key is disposable. */
  operations: Operation[] | null;
  domains: string[] | null;
  expiresAt: Date | null;
  revokedAt: Date | null;
  /** null for a disposable key. */
  disabledAt: Date | null;
  lastUsedAt: Date | null;
  /** The requested domains that the account has registered and enabled. */
  registeredDomains: string[];
}

type HashedKey = Readonly<FoundKey> & { hash: Buffer };

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
 * Reads the key of each request, so that every replica refuses a revoked or disabled key at once. Requests with the same key that arrive at
 * the same time share a read. It uses one plain statement, because the query builder would take longer than the query. The hash is compared
 * once more in constant time.
 */
@Injectable()
export class FoundKeysRepository {
  private readonly reads = new SharedReads<readonly HashedKey[]>();

  constructor(
    private readonly database: DataSource,
    private readonly hasher: KeyedHasher,
  ) {}

  /** `domains` has the domains that could cover the origin of the request. */
  async find(apiKey: string, domains: readonly string[] = []): Promise<FoundKey | undefined> {
    const hash = await this.hasher.hash('api-key-hash', apiKey);
    const asked = isDisposableKey(apiKey) ? disposableStatement : lastingStatement;
    const rows = await this.reads.read(`${hash.toString('base64')} ${domains.join(' ')}`, () =>
      this.database.query<HashedKey[]>(asked, [hash, domains]),
    );
    return rows.find(row => sameHash(row.hash, hash));
  }
}
