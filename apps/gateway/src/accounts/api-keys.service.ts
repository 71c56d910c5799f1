import { Inject, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Clock } from '@rtms/clock';
import { ServiceError } from '@rtms/contracts';
import { customAlphabet } from 'nanoid';
import { IsNull, Repository, type EntityManager } from 'typeorm';
import type { KeyType } from '../auth/caller.js';
import { isUniqueViolation } from '../database/database-errors.js';
import { isDisposableKey } from '../disposable-keys/disposable-key-text.js';
import { newID } from '../ids/new-id.js';
import { CLOCK } from '../runtime.module.js';
import { KeyedHasher } from '../secrets/keyed-hasher.js';
import { ApiKey } from './api-key.entity.js';

const randomKey = customAlphabet('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz', 64);
const maskedCharacters = 8;

/** A key at its making, the only time that it is known in full. */
export interface IssuedKey {
  key: ApiKey;
  apiKey: string;
}

/** Whose key it is: the account's own, or one of its sub-users'. */
export interface KeyOwner {
  accountID: string;
  subUserID: string | null;
}

@Injectable()
export class ApiKeysService {
  constructor(
    @InjectRepository(ApiKey) private readonly keys: Repository<ApiKey>,
    private readonly hasher: KeyedHasher,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Main keys, newest first. */
  list(accountID: string): Promise<ApiKey[]> {
    return this.keys.find({ where: { accountID, subUserID: IsNull() }, order: { createdAt: 'DESC', id: 'DESC' } });
  }

  /** CONFLICT when the account has a current key of this type. */
  async create(accountID: string, type: KeyType): Promise<IssuedKey> {
    return this.issue(this.keys.manager, { accountID, subUserID: null }, type).catch((error: unknown) => {
      if (!isUniqueViolation(error, 'api_keys_current')) throw error;
      throw new ServiceError('name_taken', `The account has a ${type} key already. Rotate it to get a new one.`);
    });
  }

  /** A new key; what was valid until now stays so for the overlap at most. */
  async rotate(owner: KeyOwner, type: KeyType, overlapHours: number): Promise<IssuedKey> {
    const { accountID, subUserID } = owner;
    return this.keys.manager.transaction(async manager => {
      // One rotation of an account after the other: each finds the key that the one before it made.
      await manager.query('SELECT 1 FROM accounts WHERE id = $1 FOR NO KEY UPDATE', [accountID]);
      await manager.query(
        `UPDATE api_keys SET expires_at = LEAST(expires_at, $5::timestamptz + make_interval(hours => $3)),
           superseded_at = COALESCE(superseded_at, $5)
         WHERE account_id = $1 AND sub_user_id IS NOT DISTINCT FROM $4 AND type = $2
           AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $5)`,
        [accountID, type, overlapHours, subUserID, new Date(this.clock.now())],
      );
      return this.issue(manager, owner, type);
    });
  }

  hasCurrent(accountID: string, type: KeyType): Promise<boolean> {
    return this.keys.existsBy({ accountID, subUserID: IsNull(), type, supersededAt: IsNull() });
  }

  /** Within a transaction of the caller's. */
  async issue(manager: EntityManager, { accountID, subUserID }: KeyOwner, type: KeyType): Promise<IssuedKey> {
    const apiKey = newKey();
    const key = manager.create(ApiKey, {
      id: newID('key'),
      accountID,
      subUserID,
      type,
      hash: await this.hasher.hash('api-key-hash', apiKey),
      maskedKey: apiKey.slice(0, maskedCharacters),
      createdAt: new Date(this.clock.now()),
      supersededAt: null,
      expiresAt: null,
      revokedAt: null,
    });
    await manager.insert(ApiKey, key);
    return { key, apiKey };
  }
}

/** The beginning tells a disposable key from a lasting one. */
function newKey(): string {
  const key = randomKey();
  return isDisposableKey(key) ? newKey() : key;
}
