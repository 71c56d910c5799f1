import { Inject, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Clock } from '@rtms/clock';
import { ServiceError, type Operation } from '@rtms/contracts';
import { Repository, type EntityManager } from 'typeorm';
import { AccountQuotas } from '../account-limits/account-quotas.service.js';
import { keysInUse } from '../account-limits/keys-in-use.js';
import { randomUserName } from '../accounts/accounts.service.js';
import type { ApiKey } from '../accounts/api-key.entity.js';
import { ApiKeysService, type IssuedKey, type KeyChange } from '../accounts/api-keys.service.js';
import { lockAccount } from '../accounts/lock-account.js';
import { keyTypes, type Caller, type KeyType } from '../auth/caller.js';
import { beyond, grantedOperations } from '../auth/granted-operations.js';
import { isUniqueViolation } from '../database/database-errors.js';
import { deleteOnceIn } from '../database/delete-once.js';
import { listRows } from '../database/list-rows.js';
import { changeOwnIn, findOwn } from '../database/own-row.js';
import { sentChanges } from '../database/sent-changes.js';
import { beyondEnvironment, requireOwnEnvironment } from '../disposable-keys/key-limits.js';
import type { Page } from '../http/page.decorator.js';
import type { Listed } from '../http/present.js';
import { newID } from '../ids/new-id.js';
import { CLOCK } from '../runtime.module.js';
import type { CreateSubUserDto } from './dto/create-sub-user.dto.js';
import type { RotateSubUserKeyDto } from './dto/rotate-sub-user-key.dto.js';
import type { SubUserKeyDto } from './dto/sub-user-key.dto.js';
import type { UpdateSubUserDto } from './dto/update-sub-user.dto.js';
import { SubUser } from './sub-user.entity.js';

/** Keys of a sub-user, at their making the only time that they are known in full. */
export type SubUserKeys = Partial<Record<KeyType, string>>;

/** In one order, as `KeyUsageService` does: the deletion of the sub-user goes on to its keys in any order. */
const lockKeysStatement = `
SELECT 1 FROM disposable_keys WHERE sub_user_id = $1 AND account_id = $2 ORDER BY id FOR UPDATE`;

const fields = ['name', 'email', 'role', 'permissions', 'state'] as const;

@Injectable()
export class SubUsersService {
  constructor(
    @InjectRepository(SubUser) private readonly subUsers: Repository<SubUser>,
    private readonly apiKeys: ApiKeysService,
    private readonly quotas: AccountQuotas,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** With a key of each environment that is the caller's, or not at all. CONFLICT when another sub-user of the account has the e-mail address. */
  async create(caller: Caller, dto: CreateSubUserDto): Promise<{ subUser: SubUser; apiKeys: SubUserKeys }> {
    const subUser = makeSubUser(caller.accountID, dto, new Date(this.clock.now()));
    requireGrantable(caller, grantedOperations({ subUser }));
    const types = keyTypes.filter(each => beyondEnvironment(each, caller) === undefined);
    const use = keysInUse(caller.accountID, subUser.createdAt, types.length);
    const apiKeys = await this.quotas.add(caller.accountID, [use], async manager => {
      await manager.insert(SubUser, subUser).catch(rethrow);
      return this.issueKeys(manager, subUser, types);
    });
    return { subUser, apiKeys };
  }

  /** NOT_FOUND for an unknown sub-user and for one of another account alike. */
  find(accountID: string, subUserID: string): Promise<SubUser> {
    return findOwn(this.subUsers, { accountID, id: subUserID }, 'sub-user');
  }

  /** Newest first. */
  list(accountID: string, page: Page): Promise<Listed<SubUser>> {
    return listRows(this.subUsers, { accountID }, page);
  }

  /** Holds from the next request on, on every replica. */
  update(caller: Caller, { subUserID, ...sent }: UpdateSubUserDto): Promise<SubUser> {
    const changes = sentChanges(sent, fields, []) as Partial<SubUser>;
    const { accountID } = caller;
    const change = (subUser: SubUser) => {
      const after = { ...subUser, ...changes };
      requireGrantable(caller, [...grantedOperations({ subUser }), ...grantedOperations({ subUser: after })]);
      return changes;
    };
    return this.changing(accountID, manager =>
      changeOwnIn(manager.withRepository(this.subUsers), { accountID, id: subUserID }, 'sub-user', change),
    ).catch(rethrow);
  }

  /** The caller learns the key, so it must have the rights of the sub-user itself. */
  rotateKey(
    caller: Caller,
    { subUserID, type, overlapHours }: RotateSubUserKeyDto,
  ): Promise<{ subUser: SubUser; issued: IssuedKey }> {
    const { accountID } = caller;
    return this.changing(accountID, async manager => {
      const subUser = await this.findGrantable(manager, caller, subUserID);
      requireOwnEnvironment(type, caller);
      const rotation = { type, overlapHours: overlapHours ?? 0 };
      const issued = await this.apiKeys.rotateIn(manager, { accountID, subUserID }, rotation, () =>
        this.quotas.require(manager, accountID, keysInUse(accountID, new Date(this.clock.now()))),
      );
      return { subUser, issued };
    });
  }

  /** At most 100 keys, first those that work or are disabled. */
  keysOf({ accountID, id: subUserID }: SubUser): Promise<ApiKey[]> {
    return this.apiKeys.listOfSubUser({ accountID, subUserID });
  }

  /**
   * Holds from the next request on. FORBIDDEN when the sub-user has more rights than the caller, or when the key is of the other
   * environment. CONFLICT when a key that was revoked is to be enabled.
   */
  changeKey(caller: Caller, { subUserID, keyID }: SubUserKeyDto, change: KeyChange): Promise<ApiKey> {
    const { accountID } = caller;
    return this.changing(accountID, async manager => {
      await this.findGrantable(manager, caller, subUserID);
      const key = await this.apiKeys.findOfSubUser(manager, { accountID, subUserID }, keyID);
      requireOwnEnvironment(key.type, caller);
      return this.apiKeys.changeIn(manager, key, change);
    });
  }

  /** Its keys and what it made with them end with it, and its own settings too. FORBIDDEN when it has more rights than the caller. */
  async delete(caller: Caller, subUserID: string): Promise<void> {
    const { accountID } = caller;
    await this.changing(accountID, async manager => {
      const subUser = await manager.findOneBy(SubUser, { accountID, id: subUserID });
      requireGrantable(caller, subUser ? grantedOperations({ subUser }) : []);
      await manager.query(lockKeysStatement, [subUserID, accountID]);
      await deleteOnceIn(manager, SubUser, { accountID, id: subUserID }, 'sub-user');
      for (const table of ['event_settings', 'recording_settings']) {
        await manager.query(`DELETE FROM ${table} WHERE owner_id = $1 AND account_id = $2`, [subUserID, accountID]);
      }
    });
  }

  private changing<Result>(accountID: string, work: (manager: EntityManager) => Promise<Result>): Promise<Result> {
    return this.subUsers.manager.transaction(async manager => {
      await lockAccount(manager, accountID);
      return work(manager);
    });
  }

  private async findGrantable(manager: EntityManager, caller: Caller, subUserID: string): Promise<SubUser> {
    const name = { accountID: caller.accountID, id: subUserID };
    const subUser = await findOwn(manager.withRepository(this.subUsers), name, 'sub-user');
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
 * A caller creates, changes and deletes only sub-users without more rights than its own. Disposable keys do none of this: a
 * sub-user's keys do not end and are narrowed to no domains, so that they are wider in any case.
 */
function requireGrantable({ keyKind, operations }: Caller, granted: readonly Operation[]): void {
  if (keyKind === 'disposable') {
    throw new ServiceError('operation_not_granted', 'A disposable key cannot create, change or delete sub-users.');
  }
  const missing = beyond(granted, operations);
  if (missing.length > 0) {
    const message = `This key cannot manage sub-users with operations that it is not granted itself: ${missing.join(', ')}.`;
    throw new ServiceError('operation_not_granted', message);
  }
}

function rethrow(error: unknown): never {
  if (!isUniqueViolation(error, 'sub_users_email')) throw error;
  throw new ServiceError('name_taken', 'Another sub-user has this e-mail address.');
}
