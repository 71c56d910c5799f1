import { Inject, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Clock } from '@rtms/clock';
import { ServiceError, type Operation } from '@rtms/contracts';
import { Repository, type EntityManager } from 'typeorm';
import { AccountQuotasService } from '../limits/account-quotas.service.js';
import { DisposableKey } from '../disposable-keys/disposable-key.entity.js';
import { keysInUse } from '../disposable-keys/disposable-keys.service.js';
import { randomUserName } from '../account/accounts.service.js';
import { ApiKey } from '../keys/api-key.entity.js';
import { ApiKeysService, type IssuedKey, type KeyChange } from '../keys/api-keys.service.js';
import { inLockedAccount } from '../account/accounts.repository.js';
import { keyTypes, type Caller, type KeyType } from '../../platform/auth/caller.js';
import { beyond, grantedOperations } from '../../platform/auth/granted-operations.js';
import { deleteOnce, sentChanges } from '../../platform/rows/own-row.js';
import { OwnRowsService } from '../../platform/rows/own-rows.service.js';
import { beyondEnvironment, requireOwnEnvironment } from '../keys/key-limits.js';
import { newID } from '../../platform/database/new-id.js';
import { CLOCK } from '../../platform/runtime/runtime.module.js';
import {
  subUserFields,
  type CreateSubUserDto,
  type RotateSubUserKeyDto,
  type SubUserKeyDto,
  type UpdateSubUserDto,
} from './sub-user.dto.js';
import { SubUser } from './sub-user.entity.js';

/** The new keys of a sub-user. The keys themselves are known only now; the database keeps hashes. */
export type SubUserKeys = Partial<Record<KeyType, string>>;

@Injectable()
export class SubUsersService extends OwnRowsService<SubUser> {
  constructor(
    @InjectRepository(SubUser) subUsers: Repository<SubUser>,
    private readonly apiKeys: ApiKeysService,
    private readonly quotas: AccountQuotasService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    super(subUsers, 'sub-user', { sub_users_email: ['name_taken', 'Another sub-user has this email address.'] });
  }

  /** Also creates a key for each environment of the caller. Throws CONFLICT when another sub-user of the account has the email address. */
  async create(caller: Caller, dto: CreateSubUserDto): Promise<{ subUser: SubUser; apiKeys: SubUserKeys }> {
    const subUser = makeSubUser(caller.accountID, dto, new Date(this.clock.now()));
    requireGrantable(caller, grantedOperations({ subUser }));
    const types = keyTypes.filter(each => beyondEnvironment(each, caller) === undefined);
    const use = keysInUse(caller.accountID, subUser.createdAt, types.length);
    const apiKeys = await this.quotas.add(caller.accountID, [use], async manager => {
      await this.insert(subUser, manager);
      return this.issueKeys(manager, subUser, types);
    });
    return { subUser, apiKeys };
  }

  /** The change applies from the next request on, on every replica. */
  update(caller: Caller, { subUserID, ...sent }: UpdateSubUserDto): Promise<SubUser> {
    const changes = sentChanges(subUserFields, sent);
    const { accountID } = caller;
    const change = (subUser: SubUser) => {
      const after = { ...subUser, ...changes };
      requireGrantable(caller, [...grantedOperations({ subUser }), ...grantedOperations({ subUser: after })]);
      return changes;
    };
    return inLockedAccount(this.rows.manager, accountID, manager =>
      this.change({ accountID, id: subUserID }, change, manager),
    ).catch(this.explain);
  }

  /** The answer shows the key, so the caller must have every right of the sub-user. */
  rotateKey(
    caller: Caller,
    { subUserID, type, overlapHours }: RotateSubUserKeyDto,
  ): Promise<{ subUser: SubUser; issued: IssuedKey }> {
    const { accountID } = caller;
    return inLockedAccount(this.rows.manager, accountID, async manager => {
      const subUser = await this.findGrantable(manager, caller, subUserID);
      requireOwnEnvironment(type, caller);
      const rotation = { type, overlapHours: overlapHours ?? 0 };
      const issued = await this.apiKeys.rotateIn(manager, { accountID, subUserID }, rotation, () =>
        this.quotas.require(manager, accountID, keysInUse(accountID, new Date(this.clock.now()))),
      );
      return { subUser, issued };
    });
  }

  /** Returns at most 100 keys, first those that have not ended. */
  keysOf({ accountID, id: subUserID }: SubUser): Promise<ApiKey[]> {
    return this.apiKeys.listOfSubUser({ accountID, subUserID });
  }

  /**
   * Throws FORBIDDEN when the sub-user has more rights than the caller or the key belongs to the other environment. Throws CONFLICT
   * when a revoked key is to be enabled.
   */
  changeKey(caller: Caller, { subUserID, keyID }: SubUserKeyDto, change: KeyChange): Promise<ApiKey> {
    const { accountID } = caller;
    return inLockedAccount(this.rows.manager, accountID, async manager => {
      await this.findGrantable(manager, caller, subUserID);
      const key = await this.apiKeys.findOfSubUser(manager, { accountID, subUserID }, keyID);
      requireOwnEnvironment(key.type, caller);
      return this.apiKeys.changeIn(manager, key, change);
    });
  }

  /** Also deletes the sub-user's keys, the keys created with them, and its settings. Throws FORBIDDEN if it has more rights than the caller. */
  async delete(caller: Caller, subUserID: string): Promise<void> {
    const { accountID } = caller;
    await inLockedAccount(this.rows.manager, accountID, async manager => {
      const subUser = await manager.findOneBy(SubUser, { accountID, id: subUserID });
      requireGrantable(caller, subUser ? grantedOperations({ subUser }) : []);
      // The deletion takes the keys in any order. This lock takes them in the order of DisposableKeysRepository.
      await manager.find(DisposableKey, {
        select: { id: true },
        where: { subUserID, accountID },
        order: { id: 'ASC' },
        lock: { mode: 'pessimistic_write' },
      });
      // The deletion of the sub-user would cascade to its keys without an announcement.
      for (const entity of [DisposableKey, ApiKey]) await manager.delete(entity, { subUserID, accountID });
      await deleteOnce(manager, SubUser, { accountID, id: subUserID }, this.kind);
      for (const entity of ['EventSetting', 'RecordingSetting']) {
        await manager.delete(entity, { ownerID: subUserID, accountID });
      }
    });
  }

  private async findGrantable(manager: EntityManager, caller: Caller, subUserID: string): Promise<SubUser> {
    const subUser = await this.find(caller.accountID, subUserID, manager);
    requireGrantable(caller, grantedOperations({ subUser }));
    return subUser;
  }

  private async issueKeys(
    manager: EntityManager,
    { accountID, id }: SubUser,
    types: readonly KeyType[],
  ): Promise<SubUserKeys> {
    const owner = { accountID, subUserID: id };
    const keys: SubUserKeys = {};
    for (const type of types) {
      keys[type] = (await this.apiKeys.issue(manager, owner, type)).apiKey;
    }
    return keys;
  }
}

function makeSubUser(accountID: string, dto: CreateSubUserDto, createdAt: Date): SubUser {
  return {
    id: newID('sub'),
    accountID,
    name: dto.name,
    email: dto.email,
    role: dto.role ?? 'member',
    permissions: dto.permissions ?? [],
    state: 'active',
    apiUserName: randomUserName(),
    createdAt,
  };
}

/**
 * A caller manages only sub-users that have no more rights than it has. A disposable key manages none: a sub-user's keys have no end
 * and no bound domains, so they always have more rights.
 */
function requireGrantable({ keyKind, operations }: Caller, granted: readonly Operation[]): void {
  if (keyKind === 'disposable') {
    throw new ServiceError('operation_not_granted', 'A disposable key cannot create, change or delete sub-users.');
  }
  const missing = beyond(granted, operations);
  if (missing.length > 0) {
    const message = `This key cannot manage sub-users with operations that it does not have: ${missing.join(', ')}.`;
    throw new ServiceError('operation_not_granted', message);
  }
}
