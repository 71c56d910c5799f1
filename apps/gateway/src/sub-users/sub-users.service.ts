import { Inject, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Clock } from '@rtms/clock';
import { ServiceError, type Operation } from '@rtms/contracts';
import { Repository, type EntityManager } from 'typeorm';
import { AccountQuotas } from '../account-limits/account-quotas.service.js';
import { keysInUse } from '../account-limits/keys-in-use.js';
import { randomUserName } from '../accounts/accounts.service.js';
import { ApiKeysService, type IssuedKey } from '../accounts/api-keys.service.js';
import { keyTypes, type Caller, type KeyType } from '../auth/caller.js';
import { beyond, grantedOperations } from '../auth/granted-operations.js';
import { isUniqueViolation } from '../database/database-errors.js';
import { deleteOnceIn } from '../database/delete-once.js';
import { listRows } from '../database/list-rows.js';
import { changeOwn, findOwn } from '../database/own-row.js';
import { sentChanges } from '../database/sent-changes.js';
import { beyondEnvironment, requireOwnEnvironment } from '../disposable-keys/key-limits.js';
import type { Page } from '../http/page.decorator.js';
import type { Listed } from '../http/present.js';
import { newID } from '../ids/new-id.js';
import { CLOCK } from '../runtime.module.js';
import type { CreateSubUserDto } from './dto/create-sub-user.dto.js';
import type { RotateSubUserKeyDto } from './dto/rotate-sub-user-key.dto.js';
import type { UpdateSubUserDto } from './dto/update-sub-user.dto.js';
import { SubUser } from './sub-user.entity.js';

/** Keys of a sub-user, at their making the only time that they are known in full. */
export type SubUserKeys = Partial<Record<KeyType, string>>;

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
    const name = { accountID: caller.accountID, id: subUserID };
    return changeOwn(this.subUsers, name, 'sub-user', subUser => {
      const after = { ...subUser, ...changes };
      requireGrantable(caller, [...grantedOperations({ subUser }), ...grantedOperations({ subUser: after })]);
      return changes;
    }).catch(rethrow);
  }

  /** Whoever asks gets to know the key: he must have what it may do himself. */
  async rotateKey(
    caller: Caller,
    { subUserID, type, overlapHours }: RotateSubUserKeyDto,
  ): Promise<{ subUser: SubUser; issued: IssuedKey }> {
    const { accountID } = caller;
    const subUser = await this.find(accountID, subUserID);
    requireGrantable(caller, grantedOperations({ subUser }));
    requireOwnEnvironment(type, caller);
    const issued = await this.apiKeys.rotate({ accountID, subUserID }, type, overlapHours ?? 0, manager =>
      this.quotas.require(manager, accountID, keysInUse(accountID, new Date(this.clock.now()))),
    );
    return { subUser, issued };
  }

  /** Its keys and what it made with them end with it, and its own settings too. FORBIDDEN when it has more rights than the caller. */
  async delete(caller: Caller, subUserID: string): Promise<void> {
    const { accountID } = caller;
    await this.subUsers.manager.transaction(async manager => {
      const subUser = await manager.findOne(SubUser, {
        where: { accountID, id: subUserID },
        lock: { mode: 'pessimistic_write' },
      });
      requireGrantable(caller, subUser ? grantedOperations({ subUser }) : []);
      await deleteOnceIn(manager, SubUser, { accountID, id: subUserID }, 'sub-user');
      for (const table of ['event_settings', 'recording_settings']) {
        await manager.query(`DELETE FROM ${table} WHERE owner_id = $1 AND account_id = $2`, [subUserID, accountID]);
      }
    });
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
