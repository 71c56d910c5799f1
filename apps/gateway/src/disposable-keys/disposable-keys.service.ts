import { Inject, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Clock } from '@rtms/clock';
import { ServiceError } from '@rtms/contracts';
import { Repository, type EntityManager } from 'typeorm';
import { AccountQuotas } from '../account-limits/account-quotas.service.js';
import { lockAccount } from '../accounts/lock-account.js';
import { keysInUse } from '../account-limits/keys-in-use.js';
import type { Caller } from '../auth/caller.js';
import { requireOperationsInRooms } from '../auth/room-bounds.js';
import { isUniqueViolation } from '../database/database-errors.js';
import { listRows } from '../database/list-rows.js';
import { changeOwnIn, findOwn } from '../database/own-row.js';
import type { Page } from '../http/page.decorator.js';
import type { Listed } from '../http/present.js';
import { CLOCK } from '../runtime.module.js';
import { KeyedHasher } from '../secrets/keyed-hasher.js';
import { newDisposableKey } from './disposable-key-text.js';
import { DisposableKey } from './disposable-key.entity.js';
import type { CreateDisposableKeyDto } from './dto/create-disposable-key.dto.js';
import type { UpdateDisposableKeyDto } from './dto/update-disposable-key.dto.js';
import { requireNotWider, requireOwnEnvironment, requireWithinReach } from './key-limits.js';
import { changedKey, makeDisposableKey } from './make-disposable-key.js';

/** Also the keys that the key made, and those that these made. Locks rows in one order, as `KeyUsageService` does. */
const revokeStatement = `
WITH RECURSIVE family AS (
  SELECT id FROM disposable_keys WHERE id = $1
  UNION ALL SELECT k.id FROM disposable_keys k JOIN family f ON k.created_by_key_id = f.id
), locked AS (
  SELECT id FROM disposable_keys WHERE id IN (SELECT id FROM family) AND revoked_at IS NULL ORDER BY id FOR NO KEY UPDATE
)
UPDATE disposable_keys SET revoked_at = $2 WHERE id IN (SELECT id FROM locked)`;

@Injectable()
export class DisposableKeysService {
  constructor(
    @InjectRepository(DisposableKey) private readonly keys: Repository<DisposableKey>,
    private readonly hasher: KeyedHasher,
    private readonly quotas: AccountQuotas,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** The only time that the key is known in full. CONFLICT when the name is taken. */
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

  /** NOT_FOUND for an unknown key and for one of another account alike. */
  find(accountID: string, keyID: string): Promise<DisposableKey> {
    return findOwn(this.keys, { accountID, id: keyID }, 'disposable key');
  }

  /** Newest first, revoked ones among them. */
  list(accountID: string, page: Page): Promise<Listed<DisposableKey>> {
    return listRows(this.keys, { accountID }, page);
  }

  /** CONFLICT when the key was revoked; FORBIDDEN when it is or becomes wider than the caller's. A key may narrow itself. */
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

  /** For good, from the next request on; revoking again changes nothing. FORBIDDEN for a key that is wider than the caller's. */
  revoke(caller: Caller, keyID: string): Promise<DisposableKey> {
    const { accountID } = caller;
    return this.changing(accountID, async rows => {
      const key = await findOwn(rows, { accountID, id: keyID }, 'disposable key');
      requireMayChange(key, caller);
      if (key.revokedAt) return key;
      const revokedAt = new Date(this.clock.now());
      await rows.query(revokeStatement, [keyID, revokedAt]);
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

/** A key itself and, whatever they were granted later, the keys of the same sub-user never do more than the caller. */
function requireMayChange(key: DisposableKey, caller: Caller): void {
  const isOwn = caller.keyKind === 'subUser' && key.subUserID === caller.subUserID;
  if (key.id === caller.keyID) return;
  if (isOwn) requireOwnEnvironment(key.type, caller);
  else requireWithinReach(key, caller);
}

/** The account is locked: nobody revokes the maker of a key, or deletes its sub-user, before the key is stored. */
async function requireMaker(manager: EntityManager, { keyKind, keyID, subUserID }: Caller): Promise<void> {
  if (keyKind === 'disposable') {
    const statement = 'SELECT 1 FROM disposable_keys WHERE id = $1 AND revoked_at IS NULL';
    if (!(await exists(manager, statement, keyID))) throw new ServiceError('key_revoked', 'This key was revoked.');
  }
  if (subUserID !== null && !(await exists(manager, 'SELECT 1 FROM sub_users WHERE id = $1', subUserID))) {
    throw new ServiceError('invalid_credentials', 'The API username or the API key is wrong.');
  }
}

async function exists(manager: EntityManager, statement: string, id: string): Promise<boolean> {
  return (await manager.query<unknown[]>(statement, [id])).length > 0;
}

function rethrow(error: unknown): never {
  if (!isUniqueViolation(error, 'disposable_keys_name')) throw error;
  throw new ServiceError('name_taken', 'Another disposable key has this name. Choose another name or revoke that key.');
}
