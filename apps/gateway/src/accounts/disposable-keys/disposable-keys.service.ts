import { Inject, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Clock } from '@rtms/clock';
import { ServiceError } from '@rtms/contracts';
import { IsNull, MoreThan, Not, Repository, type EntityManager } from 'typeorm';
import { AccountQuotasService, type QuotaUse } from '../limits/account-quotas.service.js';
import { inLockedAccount } from '../account/accounts.repository.js';
import type { Caller } from '../../platform/auth/caller.js';
import { requireOperationsInRooms } from '../../platform/auth/room-bounds.js';
import { normalisedDomain } from '../../platform/auth/host-name.js';
import { newID } from '../../platform/database/new-id.js';
import { sentChanges } from '../../platform/rows/own-row.js';
import { OwnRowsService } from '../../platform/rows/own-rows.service.js';
import { CLOCK } from '../../platform/runtime/runtime.module.js';
import { KeyedHasher } from '../../platform/secrets/keyed-hasher.js';
import { maskKey } from '../../platform/secrets/mask-secret.js';
import { newDisposableKey } from '../keys/key-text.js';
import { ApiKey } from '../keys/api-key.entity.js';
import { DisposableKey } from './disposable-key.entity.js';
import { DisposableKeysRepository } from './disposable-keys.repository.js';
import { disposableKeyFields, type CreateDisposableKeyDto, type UpdateDisposableKeyDto } from './disposable-key.dto.js';
import { requireNotWider, requireOwnEnvironment, requireWithinReach } from '../keys/key-limits.js';

const dayMs = 86_400_000;

@Injectable()
export class DisposableKeysService extends OwnRowsService<DisposableKey> {
  constructor(
    @InjectRepository(DisposableKey) keys: Repository<DisposableKey>,
    private readonly repository: DisposableKeysRepository,
    private readonly hasher: KeyedHasher,
    private readonly quotas: AccountQuotasService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    super(keys, 'disposable key', {
      disposable_keys_name: [
        'name_taken',
        'Another disposable key has this name. Choose another name or revoke that key.',
      ],
    });
  }

  /** Returns the key itself only here: the database keeps a hash. Throws CONFLICT when the name is taken. */
  async create(caller: Caller, dto: CreateDisposableKeyDto): Promise<{ key: DisposableKey; apiKey: string }> {
    const apiKey = newDisposableKey(dto.type);
    const hash = await this.hasher.hash('api-key-hash', apiKey);
    const key = makeDisposableKey(caller, dto, { hash, maskedKey: maskKey(apiKey) }, new Date(this.clock.now()));
    requireOperationsInRooms(key, key.operations);
    requireNotWider(key, caller);
    const { accountID } = caller;
    await this.quotas.add(accountID, [keysInUse(accountID, key.createdAt)], async manager => {
      await requireMaker(manager, caller);
      await this.insert(key, manager);
    });
    return { key, apiKey };
  }

  /** Throws CONFLICT for a revoked key, FORBIDDEN when the key has or gets more rights than the caller. A key may narrow itself. */
  update(caller: Caller, dto: UpdateDisposableKeyDto): Promise<DisposableKey> {
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
    const name = { accountID: caller.accountID, id: dto.keyID };
    return inLockedAccount(this.rows.manager, name.accountID, manager => this.change(name, change, manager)).catch(
      this.explain,
    );
  }

  /** Ends a key for good. Revoking it again changes nothing. Throws FORBIDDEN when the key has more rights than the caller. */
  revoke(caller: Caller, keyID: string): Promise<DisposableKey> {
    const { accountID } = caller;
    return inLockedAccount(this.rows.manager, accountID, async manager => {
      const key = await this.find(accountID, keyID, manager);
      requireMayChange(key, caller);
      if (key.revokedAt) return key;
      const revokedAt = new Date(this.clock.now());
      await this.repository.revokeFamily(manager, keyID, revokedAt);
      return { ...key, revokedAt };
    });
  }
}

/** The creator of the key passes on its account, its sub-user and, if it is a disposable key, its own id. */
function makeDisposableKey(
  caller: Caller,
  dto: CreateDisposableKeyDto,
  kept: Pick<DisposableKey, 'hash' | 'maskedKey'>,
  now: Date,
): DisposableKey {
  const validityDays = dto.validityDays ?? null;
  return {
    id: newID('key'),
    accountID: caller.accountID,
    subUserID: caller.subUserID,
    createdByKeyID: caller.keyKind === 'disposable' ? caller.keyID : null,
    name: dto.name,
    type: dto.type,
    validityDays,
    operations: dto.operations,
    domains: normalised(dto.domains ?? null),
    meetingIDs: dto.meetingIDs ?? null,
    maxRole: dto.maxRole ?? null,
    ...kept,
    createdAt: now,
    expiresAt: endOf(now, validityDays),
    lastUsedAt: null,
    revokedAt: null,
  };
}

/** A missing field stays the same. The validity counts from the creation of the key. */
function changedKey(key: DisposableKey, dto: UpdateDisposableKeyDto) {
  const changes = sentChanges(disposableKeyFields, dto);
  const { name, operations, domains, meetingIDs, maxRole, validityDays } = { ...key, ...changes };
  const expiresAt = endOf(key.createdAt, validityDays);
  return { name, operations, domains: normalised(domains), meetingIDs, maxRole, validityDays, expiresAt };
}

function normalised(domains: readonly string[] | null): string[] | null {
  return domains && [...new Set(domains.map(normalisedDomain))];
}

function endOf(start: Date, days: number | null): Date | null {
  return days === null ? null : new Date(start.getTime() + days * dayMs);
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
