import { Inject, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Clock } from '@rtms/clock';
import { ServiceError } from '@rtms/contracts';
import { IsNull, Repository, type EntityManager } from 'typeorm';
import type { KeyType } from '../../platform/auth/caller.js';
import { explainViolation } from '../../platform/database/database-errors.js';
import { newID } from '../../platform/database/new-id.js';
import { CLOCK } from '../../platform/runtime/runtime.module.js';
import { KeyedHasher } from '../../platform/secrets/keyed-hasher.js';
import { maskKey } from '../../platform/secrets/mask-secret.js';
import { ApiKey } from './api-key.entity.js';
import { newLastingKey } from './key-text.js';
import { inLockedAccount } from '../account/accounts.repository.js';

/** A new key. The key itself is known only now; the database keeps a hash. */
export interface IssuedKey {
  key: ApiKey;
  apiKey: string;
}

/** The owner of a key: the account (`subUserID` is null) or one of its sub-users. */
export interface KeyOwner {
  accountID: string;
  subUserID: string | null;
}

export interface SubUserName {
  accountID: string;
  subUserID: string;
}

/** The most keys of a sub-user in one answer. */
const shownKeys = 100;
const hourMs = 3_600_000;

export interface MainKeyName {
  accountID: string;
  keyID: string;
}

/** `revoke` ends a key for good. Its row stays until retention deletes it. An enabled key keeps the end that a rotation set. */
export type KeyChange = 'disable' | 'enable' | 'revoke';

@Injectable()
export class ApiKeysService {
  constructor(
    @InjectRepository(ApiKey) private readonly keys: Repository<ApiKey>,
    private readonly hasher: KeyedHasher,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Returns the account's main keys, newest first. */
  list(accountID: string): Promise<ApiKey[]> {
    return this.keys.find({ where: { accountID, subUserID: IsNull() }, order: { createdAt: 'DESC', id: 'DESC' } });
  }

  /** Throws CONFLICT, `name_taken`, when the account has a current key of this type. */
  async create(accountID: string, type: KeyType): Promise<IssuedKey> {
    const message = `The account has a ${type} key already. Rotate it to get a new one.`;
    return this.issue(this.keys.manager, { accountID, subUserID: null }, type).catch(
      explainViolation({ api_keys_current: ['name_taken', message] }),
    );
  }

  /** Issues a new key. The owner's other keys of this environment end after the overlap at the latest. */
  rotate(owner: KeyOwner, type: KeyType, overlapHours: number): Promise<IssuedKey> {
    return inLockedAccount(this.keys.manager, owner.accountID, manager =>
      this.rotateIn(manager, owner, { type, overlapHours }),
    );
  }

  /** Like `rotate`, in a transaction that has locked the account. `admit` throws when the account may not have one more key. */
  async rotateIn(
    manager: EntityManager,
    owner: KeyOwner,
    { type, overlapHours }: { type: KeyType; overlapHours: number },
    admit?: () => Promise<unknown>,
  ): Promise<IssuedKey> {
    const { accountID, subUserID } = owner;
    const now = new Date(this.clock.now());
    const { affected } = await manager
      .createQueryBuilder()
      .update(ApiKey)
      .set({
        expiresAt: () => 'LEAST(expires_at, :end::timestamptz)',
        supersededAt: () => 'COALESCE(superseded_at, :now)',
      })
      .where({ accountID, subUserID: subUserID ?? IsNull(), type, revokedAt: IsNull() })
      .andWhere('(expires_at IS NULL OR expires_at > :now)')
      .setParameters({ now, end: new Date(now.getTime() + overlapHours * hourMs) })
      .execute();
    // Without an overlap the new key only replaces an old one. A quota must not refuse that: the old key may have leaked.
    if (overlapHours > 0 || affected === 0) await admit?.();
    return this.issue(manager, owner, type);
  }

  /**
   * Changes a main key. The change applies from the next request on. Throws CONFLICT, `last_key`, when it would end the last working main
   * key of its environment, unless forced: servers that use the key would stop.
   */
  changeMainKey({ accountID, keyID }: MainKeyName, change: KeyChange, isForced = false): Promise<ApiKey> {
    return inLockedAccount(this.keys.manager, accountID, async manager => {
      const key = await manager.findOneBy(ApiKey, { accountID, id: keyID, subUserID: IsNull() });
      if (!key) throw new ServiceError('not_found', 'There is no such main key in this account.');
      if (change !== 'enable' && !isForced) await requireAnother(manager, key, new Date(this.clock.now()));
      return this.changeIn(manager, key, change);
    });
  }

  /** Call it in a transaction that has locked the account. */
  async changeIn(manager: EntityManager, key: ApiKey, change: KeyChange): Promise<ApiKey> {
    const changes = changesOf[change](key, new Date(this.clock.now()));
    if (Object.keys(changes).length > 0) await manager.update(ApiKey, key.id, changes);
    return { ...key, ...changes };
  }

  /** Throws NOT_FOUND for an unknown key, a main key and a key of another sub-user alike. */
  async findOfSubUser(manager: EntityManager, { accountID, subUserID }: SubUserName, keyID: string): Promise<ApiKey> {
    const key = await manager.findOneBy(ApiKey, { accountID, subUserID, id: keyID });
    if (!key) throw new ServiceError('not_found', 'There is no such key of this sub-user.');
    return key;
  }

  /** Returns at most 100 keys: first those that have not ended, then the others, newest first. */
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

  /** Call it in a transaction. */
  async issue(manager: EntityManager, { accountID, subUserID }: KeyOwner, type: KeyType): Promise<IssuedKey> {
    const apiKey = newLastingKey();
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

/** The columns that each change sets; none when the key has the requested state already. */
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

/** Throws CONFLICT when this is the only working main key of its environment. */
async function requireAnother(manager: EntityManager, key: ApiKey, now: Date): Promise<void> {
  if (!isWorking(key, now)) return;
  const { accountID, type } = key;
  const keys = await manager.findBy(ApiKey, { accountID, type, subUserID: IsNull() });
  if (keys.some(other => other.id !== key.id && isWorking(other, now))) return;
  const message = `This is the account's last working ${type} key. Servers that use it would stop. Rotate the key, or send force to continue.`;
  throw new ServiceError('last_key', message);
}
