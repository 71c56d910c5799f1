import { Inject, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Clock } from '@rtms/clock';
import { ServiceError } from '@rtms/contracts';
import { IsNull, MoreThan, Not, Repository, type EntityManager } from 'typeorm';
import { AccountQuotasService, type QuotaUse } from '../limits/account-quotas.service.js';
import { lockAccount } from '../account/accounts.repository.js';
import type { Caller } from '../../platform/auth/caller.js';
import { requireOperationsInRooms } from '../../platform/auth/room-bounds.js';
import { isUniqueViolation } from '../../platform/database/database-errors.js';
import { listRows, type Listed, type Page } from '../../platform/rows/list-rows.js';
import { changeOwnIn, findOwn } from '../../platform/rows/own-row.js';
import { CLOCK } from '../../platform/runtime/runtime.module.js';
import { KeyedHasher } from '../../platform/secrets/keyed-hasher.js';
import { newDisposableKey } from '../keys/key-text.js';
import { ApiKey } from '../keys/api-key.entity.js';
import { DisposableKey } from './disposable-key.entity.js';
import { DisposableKeysRepository } from './disposable-keys.repository.js';
import type { CreateDisposableKeyDto, UpdateDisposableKeyDto } from './disposable-key.dto.js';
import { requireNotWider, requireOwnEnvironment, requireWithinReach } from '../keys/key-limits.js';
import { changedKey, makeDisposableKey } from './make-disposable-key.js';

@Injectable()
export class DisposableKeysService {
  constructor(
    @InjectRepository(DisposableKey) private readonly keys: Repository<DisposableKey>,
    private readonly repository: DisposableKeysRepository,
    private readonly hasher: KeyedHasher,
    private readonly quotas: AccountQuotasService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Returns the key itself only here: the database keeps a hash. Throws CONFLICT when the name is taken. */
  async create(caller: Caller, dto: CreateDisposableKeyDto): Promise<{ key: DisposableKey; apiKey: string }> {
    const apiKey = newDisposableKey(dto.type);
    const hash = await this.hasher.hash('api-key-hash', apiKey);
    const key = makeDisposableKey(caller, dto, { apiKey, hash }, new Date(this.clock.now()));
    requireOperationsInRooms(key, key.operations);
    requireNotWider(key, caller);
    const { accountID } = caller;
    await this.quotas.add(accountID, [keysInUse(accountID, key.createdAt)], async manager => {
      await requireMaker(manager, caller);
      await manager.insert(DisposableKey, key).catch(rethrow);
    });
    return { key, apiKey };
  }

  /** Throws NOT_FOUND for an unknown key and for a key of another account alike. */
  find(accountID: string, keyID: string): Promise<DisposableKey> {
    return findOwn(this.keys, { accountID, id: keyID }, 'disposable key');
  }

  /** Newest first, revoked keys included. */
  list(accountID: string, page: Page): Promise<Listed<DisposableKey>> {
    return listRows(this.keys, { accountID }, page);
  }

  /** Throws CONFLICT for a revoked key, FORBIDDEN when the key has or gets more rights than the caller. A key may narrow itself. */
  update(caller: Caller, dto: UpdateDisposableKeyDto): Promise<DisposableKey> {
    const { accountID } = caller;
    const change = async (key: DisposableKey, manager: EntityManager) => {
      requireMayChange(key, caller);
      if (key.revokedAt) throw new ServiceError('already_revoked', 'This key was revoked. Create another one.');
      const changes = changedKey(key, dto);
      requireOperationsInRooms(changes, changes.operations);
      requireNotWider({ ...key, ...changes }, caller);
      const now = new Date(this.clock.now());
      if (hasExpired(key, now) && !hasExpired(changes, now)) {
        await this.quotas.require(manager, key.accountID, keysInUse(key.accountID, now));
      }
      return changes;
    };
    return this.changing(accountID, rows =>
      changeOwnIn(rows, { accountID, id: dto.keyID }, 'disposable key', change),
    ).catch(rethrow);
  }

  /** Ends a key for good. Revoking it again changes nothing. Throws FORBIDDEN when the key has more rights than the caller. */
  revoke(caller: Caller, keyID: string): Promise<DisposableKey> {
    const { accountID } = caller;
    return this.changing(accountID, async rows => {
      const key = await findOwn(rows, { accountID, id: keyID }, 'disposable key');
      requireMayChange(key, caller);
      if (key.revokedAt) return key;
      const revokedAt = new Date(this.clock.now());
      await this.repository.revokeFamily(rows.manager, keyID, revokedAt);
      return { ...key, revokedAt };
    });
  }

  private changing<Result>(
    accountID: string,
    work: (rows: Repository<DisposableKey>) => Promise<Result>,
  ): Promise<Result> {
    return this.keys.manager.transaction(async manager => {
      await lockAccount(manager, accountID);
      return work(manager.withRepository(this.keys));
    });
  }
}

function hasExpired({ expiresAt }: Pick<DisposableKey, 'expiresAt'>, now: Date): boolean {
  return expiresAt !== null && expiresAt <= now;
}

/** A caller may always change its own key. Keys of one sub-user have the same rights, so only the environment is checked. */
function requireMayChange(key: DisposableKey, caller: Caller): void {
  const isOwn = caller.keyKind === 'subUser' && key.subUserID === caller.subUserID;
  if (key.id === caller.keyID) return;
  if (isOwn) requireOwnEnvironment(key.type, caller);
  else requireWithinReach(key, caller);
}

/** The lock of the account keeps the creator of the key, and its sub-user, from ending before the key is stored. */
async function requireMaker(manager: EntityManager, { keyKind, keyID, subUserID }: Caller): Promise<void> {
  if (keyKind === 'disposable' && !(await manager.existsBy(DisposableKey, { id: keyID, revokedAt: IsNull() }))) {
    throw new ServiceError('key_revoked', 'This key was revoked.');
  }
  if (subUserID !== null && !(await manager.existsBy('SubUser', { id: subUserID }))) {
    throw new ServiceError('invalid_credentials', 'The API username or the API key is wrong.');
  }
}

/** Counts valid disposable keys and keys of sub-users. Main keys do not count: a leaked main key can be rotated at any time. */
export function keysInUse(accountID: string, now: Date, adding = 1): QuotaUse {
  const valid = { accountID, revokedAt: IsNull() };
  const ends = [{ expiresAt: IsNull() }, { expiresAt: MoreThan(now) }];
  const count = async (manager: EntityManager) =>
    (await manager.countBy(
      DisposableKey,
      ends.map(end => ({ ...valid, ...end })),
    )) +
    (await manager.countBy(
      ApiKey,
      ends.map(end => ({ ...valid, ...end, subUserID: Not(IsNull()) })),
    ));
  return { limit: 'keys', count, adding };
}

function rethrow(error: unknown): never {
  if (!isUniqueViolation(error, 'disposable_keys_name')) throw error;
  throw new ServiceError('name_taken', 'Another disposable key has this name. Choose another name or revoke that key.');
}
