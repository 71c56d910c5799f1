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
import { maskKey } from '../secrets/mask-secret.js';
import { ApiKey } from './api-key.entity.js';

const randomKey = customAlphabet('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz', 64);

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

export interface MainKeyName {
  accountID: string;
  keyID: string;
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

  /** A new key; what was valid until now stays so for the overlap at most. `admit` may refuse one key more. */
  async rotate(
    owner: KeyOwner,
    type: KeyType,
    overlapHours: number,
    admit?: (manager: EntityManager) => Promise<void>,
  ): Promise<IssuedKey> {
    const { accountID, subUserID } = owner;
    return this.keys.manager.transaction(async manager => {
      await lockAccount(manager, accountID);
      const [, ended] = await manager.query<[unknown, number]>(
        `UPDATE api_keys SET expires_at = LEAST(expires_at, $5::timestamptz + make_interval(hours => $3)),
           superseded_at = COALESCE(superseded_at, $5)
         WHERE account_id = $1 AND sub_user_id IS NOT DISTINCT FROM $4 AND type = $2
           AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $5)`,
        [accountID, type, overlapHours, subUserID, new Date(this.clock.now())],
      );
      // Without an overlap the key takes the place of another one, which is never refused: that one may have leaked.
      if (overlapHours > 0 || ended === 0) await admit?.(manager);
      return this.issue(manager, owner, type);
    });
  }

  /**
   * Refused from the next request on, until somebody enables it; a key that was revoked stays so. CONFLICT, `last_key`, for the last
   * main key of its environment that works, unless forced: servers that use it would stop.
   */
  disable(name: MainKeyName, isForced: boolean): Promise<ApiKey> {
    return this.changeMainKey(name, async (manager, key, now) => {
      if (key.revokedAt ?? key.disabledAt) return {};
      if (!isForced) await requireAnother(manager, key, now);
      return { disabledAt: now };
    });
  }

  /** CONFLICT for a key that was revoked. An end that a rotation gave the key meanwhile holds. */
  enable(name: MainKeyName): Promise<ApiKey> {
    return this.changeMainKey(name, async (_manager, key) => {
      if (key.revokedAt) throw new ServiceError('already_revoked', 'This key was revoked. Create another one.');
      return { disabledAt: null };
    });
  }

  /** For good, from the next request on; revoking again changes nothing. CONFLICT, `last_key`, as for `disable`. */
  revoke(name: MainKeyName, isForced: boolean): Promise<ApiKey> {
    return this.changeMainKey(name, async (manager, key, now) => {
      if (key.revokedAt) return {};
      if (!isForced) await requireAnother(manager, key, now);
      return { revokedAt: now, supersededAt: key.supersededAt ?? now };
    });
  }

  private changeMainKey(
    { accountID, keyID }: MainKeyName,
    decide: (manager: EntityManager, key: ApiKey, now: Date) => Promise<Partial<ApiKey>>,
  ): Promise<ApiKey> {
    return this.keys.manager.transaction(async manager => {
      await lockAccount(manager, accountID);
      const key = await manager.findOneBy(ApiKey, { accountID, id: keyID, subUserID: IsNull() });
      if (!key) throw new ServiceError('not_found', 'There is no such main key in this account.');
      const changes = await decide(manager, key, new Date(this.clock.now()));
      if (Object.keys(changes).length > 0) await manager.update(ApiKey, key.id, changes);
      return { ...key, ...changes };
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
      maskedKey: maskKey(apiKey),
      createdAt: new Date(this.clock.now()),
      supersededAt: null,
      expiresAt: null,
      disabledAt: null,
      revokedAt: null,
    });
    await manager.insert(ApiKey, key);
    return { key, apiKey };
  }
}

/** One change of an account's keys after the other: each finds what the one before it left. */
async function lockAccount(manager: EntityManager, accountID: string): Promise<void> {
  await manager.query('SELECT 1 FROM accounts WHERE id = $1 FOR NO KEY UPDATE', [accountID]);
}

function isWorking({ revokedAt, disabledAt, expiresAt }: ApiKey, now: Date): boolean {
  return revokedAt === null && disabledAt === null && (expiresAt === null || expiresAt > now);
}

/** CONFLICT when this key works and no other main key of its environment does. */
async function requireAnother(manager: EntityManager, key: ApiKey, now: Date): Promise<void> {
  if (!isWorking(key, now)) return;
  const { accountID, type } = key;
  const keys = await manager.findBy(ApiKey, { accountID, type, subUserID: IsNull() });
  if (keys.some(other => other.id !== key.id && isWorking(other, now))) return;
  const message = `This is the account's last ${type} key that works: servers that use it stop at once. Rotate it, or send force to go on.`;
  throw new ServiceError('last_key', message);
}

/** The beginning tells a disposable key from a lasting one. */
function newKey(): string {
  const key = randomKey();
  return isDisposableKey(key) ? newKey() : key;
}
