import { Body, Controller, Inject, Query } from '@nestjs/common';
import type { Clock } from '@rtms/clock';
import type { KeyChange } from '../accounts/api-keys.service.js';
import {
  issuedKeySchema,
  keySchema,
  presentIssuedKey,
  presentKey,
  type IssuedKeyAnswer,
  type KeyAnswer,
} from '../accounts/present-key.js';
import { CurrentCaller, RequireOperation } from '../auth/auth.decorators.js';
import type { Caller } from '../auth/caller.js';
import { Action, ReadAction } from '../http/action.decorator.js';
import { AsksPassword } from '../dashboard-sessions/recent-password.guard.js';
import { Answers, deleted, one, oneOrList } from '../http/answers.js';
import { PageQuery, type Page } from '../http/page.decorator.js';
import {
  presentDeleted,
  presentList,
  presentOne,
  type DeletedAnswer,
  type ListAnswer,
  type OneAnswer,
} from '../http/present.js';
import { CLOCK } from '../runtime.module.js';
import { CreateSubUserDto } from './dto/create-sub-user.dto.js';
import { DeleteSubUserDto } from './dto/delete-sub-user.dto.js';
import { GetSubUsersDto } from './dto/get-sub-users.dto.js';
import { RotateSubUserKeyDto } from './dto/rotate-sub-user-key.dto.js';
import { SubUserKeyDto } from './dto/sub-user-key.dto.js';
import { UpdateSubUserDto } from './dto/update-sub-user.dto.js';
import {
  detailedSubUserSchema,
  issuedSubUserSchema,
  presentDetailedSubUser,
  presentSubUser,
  subUserSchema,
  type DetailedSubUser,
  type PresentedSubUser,
} from './present-sub-user.js';
import { SubUsersService, type SubUserKeys } from './sub-users.service.js';

type SubUserAnswer = OneAnswer<'subUser', PresentedSubUser>;
type DetailedAnswer = OneAnswer<'subUser', DetailedSubUser>;
/** The keys stand in this answer and nowhere else. */
type IssuedAnswer = OneAnswer<'subUser', PresentedSubUser & { apiKeys: SubUserKeys }>;
type SubUsersAnswer = ListAnswer<'subUsers', PresentedSubUser>;

@Controller('v1/subusers')
@RequireOperation('manageSubUsers')
export class SubUsersController {
  constructor(
    private readonly subUsers: SubUsersService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  @AsksPassword()
  @Action('create')
  @Answers(one('subUser', issuedSubUserSchema), 'limit_reached', 'too_many_waiting', 'name_taken')
  async create(@CurrentCaller() caller: Caller, @Body() dto: CreateSubUserDto): Promise<IssuedAnswer> {
    const { subUser, apiKeys } = await this.subUsers.create(caller, dto);
    return presentOne('subUser', { ...presentSubUser(subUser), apiKeys });
  }

  @ReadAction('get')
  @Answers(oneOrList(['subUser', detailedSubUserSchema], ['subUsers', subUserSchema]))
  async get(
    @CurrentCaller() { accountID }: Caller,
    @Query() { subUserID }: GetSubUsersDto,
    @PageQuery() page: Page,
  ): Promise<DetailedAnswer | SubUsersAnswer> {
    if (subUserID !== undefined) {
      const subUser = await this.subUsers.find(accountID, subUserID);
      const keys = await this.subUsers.keysOf(subUser);
      return presentOne('subUser', presentDetailedSubUser(subUser, keys, this.clock.now()));
    }
    const { items, total } = await this.subUsers.list(accountID, page);
    return presentList('subUsers', items.map(presentSubUser), total, page);
  }

  @Action('update')
  @Answers(one('subUser', subUserSchema), 'name_taken')
  async update(@CurrentCaller() caller: Caller, @Body() dto: UpdateSubUserDto): Promise<SubUserAnswer> {
    return presentOne('subUser', presentSubUser(await this.subUsers.update(caller, dto)));
  }

  /** The new key stands in this answer and nowhere else. */
  @AsksPassword()
  @Action('rotateKey')
  @Answers(one('key', issuedKeySchema), 'limit_reached')
  async rotateKey(@CurrentCaller() caller: Caller, @Body() dto: RotateSubUserKeyDto): Promise<IssuedKeyAnswer> {
    const { subUser, issued } = await this.subUsers.rotateKey(caller, dto);
    return presentIssuedKey(subUser.apiUserName, issued);
  }

  /** The key is refused from the next request on, until it is enabled. */
  @Action('disableKey')
  @Answers(one('key', keySchema))
  disableKey(@CurrentCaller() caller: Caller, @Body() dto: SubUserKeyDto): Promise<KeyAnswer> {
    return this.changeKey(caller, dto, 'disable');
  }

  @Action('enableKey')
  @Answers(one('key', keySchema), 'already_revoked')
  enableKey(@CurrentCaller() caller: Caller, @Body() dto: SubUserKeyDto): Promise<KeyAnswer> {
    return this.changeKey(caller, dto, 'enable');
  }

  /** Revokes the key for good; its record stays for the time of retention. Revoking it again changes nothing. */
  @Action('deleteKey')
  @Answers(one('key', keySchema))
  deleteKey(@CurrentCaller() caller: Caller, @Body() dto: SubUserKeyDto): Promise<KeyAnswer> {
    return this.changeKey(caller, dto, 'revoke');
  }

  @Action('delete')
  @Answers(deleted('subUserID'))
  async delete(
    @CurrentCaller() caller: Caller,
    @Body() { subUserID }: DeleteSubUserDto,
  ): Promise<DeletedAnswer<'subUserID'>> {
    await this.subUsers.delete(caller, subUserID);
    return presentDeleted('subUserID', subUserID);
  }

  private async changeKey(caller: Caller, dto: SubUserKeyDto, change: KeyChange): Promise<KeyAnswer> {
    return presentOne('key', presentKey(await this.subUsers.changeKey(caller, dto, change), this.clock.now()));
  }
}
