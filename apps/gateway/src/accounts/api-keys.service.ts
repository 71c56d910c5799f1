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
import { lockAccount } from './lock-account.js';

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

export interface SubUserName {
  accountID: string;
  subUserID: string;
}

/** Of a sub-user, in one answer. */
const shownKeys = 100;

export interface MainKeyName {
  accountID: string;
  keyID: string;
}

/** `revoke` deletes a key: its record stays for the time of retention. */
export type KeyChange = 'disable' | 'enable' | 'revoke';

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

  /** A new key; the owner's former keys of its environment stay valid for the overlap at most. */
  rotate(owner: KeyOwner, type: KeyType, overlapHours: number): Promise<IssuedKey> {
    return this.keys.manager.transaction(async manager => {
      await lockAccount(manager, owner.accountID);
      return this.rotateIn(manager, owner, { type, overlapHours });
    });
  }

  /** As `rotate`, within a transaction that has locked the account. `admit` may refuse one key more. */
  async rotateIn(
    manager: EntityManager,
    owner: KeyOwner,
    { type, overlapHours }: { type: KeyType; overlapHours: number },
    admit?: () => Promise<void>,
  ): Promise<IssuedKey> {
    const { accountID, subUserID } = owner;
    const [, ended] = await manager.query<[unknown, number]>(
      `UPDATE api_keys SET expires_at = LEAST(expires_at, $5::timestamptz + make_interval(hours => $3)),
         superseded_at = COALESCE(superseded_at, $5)
       WHERE account_id = $1 AND sub_user_id IS NOT DISTINCT FROM $4 AND type = $2
         AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $5)`,
      [accountID, type, overlapHours, subUserID, new Date(this.clock.now())],
    );
    // Without an overlap the key takes the place of another one, which is never refused: that one may have leaked.
    if (overlapHours > 0 || ended === 0) await admit?.();
    return this.issue(manager, owner, type);
  }

  /**
   * Refused from the next request on, until somebody enables it; a key that was revoked stays so. CONFLICT, `last_key`, for the last
   * main key of its environment that works, unless forced: servers that use it would stop.
   */
  disable(name: MainKeyName, isForced: boolean): Promise<ApiKey> {
    return this.changeMainKey(name, 'disable', isForced);
  }

  /** CONFLICT for a key that was revoked. An end that a rotation gave the key meanwhile holds. */
  enable(name: MainKeyName): Promise<ApiKey> {
    return this.changeMainKey(name, 'enable', true);
  }

  /** For good, from the next request on; revoking again changes nothing. CONFLICT, `last_key`, as for `disable`. */
  revoke(name: MainKeyName, isForced: boolean): Promise<ApiKey> {
    return this.changeMainKey(name, 'revoke', isForced);
  }

  private changeMainKey({ accountID, keyID }: MainKeyName, change: KeyChange, isForced: boolean): Promise<ApiKey> {
    return this.keys.manager.transaction(async manager => {
      await lockAccount(manager, accountID);
      const key = await manager.findOneBy(ApiKey, { accountID, id: keyID, subUserID: IsNull() });
      if (!key) throw new ServiceError('not_found', 'There is no such main key in this account.');
      if (!isForced) await requireAnother(manager, key, new Date(this.clock.now()));
      return this.changeIn(manager, key, change);
    });
  }

  /** Within a transaction that has locked the account. */
  async changeIn(manager: EntityManager, key: ApiKey, change: KeyChange): Promise<ApiKey> {
    const changes = changesOf[change](key, new Date(this.clock.now()));
    if (Object.keys(changes).length > 0) await manager.update(ApiKey, key.id, changes);
    return { ...key, ...changes };
  }

  /** NOT_FOUND for an unknown key, and for one of another sub-user or of the account itself alike. */
  async findOfSubUser(manager: EntityManager, { accountID, subUserID }: SubUserName, keyID: string): Promise<ApiKey> {
    const key = await manager.findOneBy(ApiKey, { accountID, subUserID, id: keyID });
    if (!key) throw new ServiceError('not_found', 'There is no such key of this sub-user.');
    return key;
  }

  /** Those that work or are disabled come first, then the newest; at most 100. */
  listOfSubUser({ accountID, subUserID }: SubUserName): Promise<ApiKey[]> {
    const isOver = 'key.revokedAt IS NOT NULL OR (key.expiresAt IS NOT NULL AND key.expiresAt <= :now)';
    return this.keys
      .createQueryBuilder('key')
      .addSelect(isOver, 'is_over')
      .where({ accountID, subUserID })
      .setParameter('now', new Date(this.clock.now()))
      .orderBy({ is_over: 'ASC', 'key.createdAt': 'DESC', 'key.id': 'DESC' })
      .limit(shownKeys)
      .getMany();
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

/** The columns that each change sets; none when the key has the wanted state already. */
const changesOf: Record<KeyChange, (key: ApiKey, now: Date) => Partial<ApiKey>> = {
  disable: ({ revokedAt, disabledAt }, now) => (revokedAt || disabledAt ? {} : { disabledAt: now }),
  enable({ revokedAt }) {
    if (revokedAt) throw new ServiceError('already_revoked', 'This key was revoked. Create another one.');
    return { disabledAt: null };
  },
  revoke: ({ revokedAt, supersededAt }, now) =>
    revokedAt ? {} : { revokedAt: now, supersededAt: supersededAt ?? now },
};

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
