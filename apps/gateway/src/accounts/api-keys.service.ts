import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { ServiceError } from '@rtms/contracts';
import { customAlphabet } from 'nanoid';
import { IsNull, Repository, type EntityManager } from 'typeorm';
import type { KeyType } from '../auth/caller.js';
import { isUniqueViolation } from '../database/database-errors.js';
import { newID } from '../ids/new-id.js';
import { sameHash } from '../secrets/keyed-hash.js';
import { KeyedHasher } from '../secrets/keyed-hasher.js';
import type { AccountState } from './account.entity.js';
import { ApiKey } from './api-key.entity.js';

const randomKey = customAlphabet('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz', 64);
const maskedCharacters = 8;

export interface FoundKey {
  keyID: string;
  keyType: KeyType;
  accountID: string;
  apiUserName: string;
  accountState: AccountState;
  expiresAt: Date | null;
  revokedAt: Date | null;
}

/** A key at its making, the only time that it is known in full. */
export interface IssuedKey {
  key: ApiKey;
  apiKey: string;
}

const findStatement = `
SELECT k.hash, k.id AS "keyID", k.type AS "keyType", k.account_id AS "accountID", k.expires_at AS "expiresAt",
  k.revoked_at AS "revokedAt", a.api_user_name AS "apiUserName", a.state AS "accountState"
FROM api_keys k JOIN accounts a ON a.id = k.account_id WHERE k.hash = $1`;

@Injectable()
export class ApiKeysService {
  constructor(
    @InjectRepository(ApiKey) private readonly keys: Repository<ApiKey>,
    private readonly hasher: KeyedHasher,
  ) {}

  /** One indexed look-up by the hash; what is found is compared once more in constant time. */
  async findByKey(apiKey: string): Promise<FoundKey | undefined> {
    const hash = await this.hasher.hash('api-key-hash', apiKey);
    const rows = await this.keys.query<({ hash: Buffer } & FoundKey)[]>(findStatement, [hash]);
    return rows.find(row => sameHash(row.hash, hash));
  }

  list(accountID: string): Promise<ApiKey[]> {
    return this.keys.find({ where: { accountID }, order: { createdAt: 'DESC', id: 'DESC' } });
  }

  /** CONFLICT when the account has a current key of this type. */
  async create(accountID: string, type: KeyType): Promise<IssuedKey> {
    return this.insert(this.keys.manager, accountID, type).catch((error: unknown) => {
      if (!isUniqueViolation(error, 'api_keys_current')) throw error;
      throw new ServiceError('name_taken', `The account has a ${type} key already. Rotate it to get a new one.`);
    });
  }

  /** A new key; what was valid until now stays so for the overlap at most. */
  async rotate(accountID: string, type: KeyType, overlapHours: number): Promise<IssuedKey> {
    return this.keys.manager.transaction(async manager => {
      await manager.query(
        `UPDATE api_keys SET expires_at = LEAST(expires_at, now() + make_interval(hours => $3)),
           superseded_at = COALESCE(superseded_at, now())
         WHERE account_id = $1 AND type = $2 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())`,
        [accountID, type, overlapHours],
      );
      return this.insert(manager, accountID, type);
    });
  }

  hasCurrent(accountID: string, type: KeyType): Promise<boolean> {
    return this.keys.existsBy({ accountID, type, supersededAt: IsNull() });
  }

  private async insert(manager: EntityManager, accountID: string, type: KeyType): Promise<IssuedKey> {
    const apiKey = randomKey();
    const key = manager.create(ApiKey, {
      id: newID('key'),
      accountID,
      type,
      hash: await this.hasher.hash('api-key-hash', apiKey),
      maskedKey: apiKey.slice(0, maskedCharacters),
      createdAt: new Date(),
      supersededAt: null,
      expiresAt: null,
      revokedAt: null,
    });
    await manager.insert(ApiKey, key);
    return { key, apiKey };
  }
}
