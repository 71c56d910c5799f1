import { Body, Controller, Query } from '@nestjs/common';
import { issuedKeySchema, presentIssuedKey, type IssuedKeyAnswer } from '../accounts/present-key.js';
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
import { CreateSubUserDto } from './dto/create-sub-user.dto.js';
import { DeleteSubUserDto } from './dto/delete-sub-user.dto.js';
import { GetSubUsersDto } from './dto/get-sub-users.dto.js';
import { RotateSubUserKeyDto } from './dto/rotate-sub-user-key.dto.js';
import { UpdateSubUserDto } from './dto/update-sub-user.dto.js';
import { subUserSchema, issuedSubUserSchema, presentSubUser, type PresentedSubUser } from './present-sub-user.js';
import { SubUsersService, type SubUserKeys } from './sub-users.service.js';

type SubUserAnswer = OneAnswer<'subUser', PresentedSubUser>;
/** The keys stand in this answer and nowhere else. */
type IssuedAnswer = OneAnswer<'subUser', PresentedSubUser & { apiKeys: SubUserKeys }>;
type SubUsersAnswer = ListAnswer<'subUsers', PresentedSubUser>;

@Controller('v1/subusers')
@RequireOperation('manageSubUsers')
export class SubUsersController {
  constructor(private readonly subUsers: SubUsersService) {}

  @AsksPassword()
  @Action('create')
  @Answers(one('subUser', issuedSubUserSchema), 'limit_reached', 'name_taken')
  async create(@CurrentCaller() caller: Caller, @Body() dto: CreateSubUserDto): Promise<IssuedAnswer> {
    const { subUser, apiKeys } = await this.subUsers.create(caller, dto);
    return presentOne('subUser', { ...presentSubUser(subUser), apiKeys });
  }

  @ReadAction('get')
  @Answers(oneOrList(['subUser', subUserSchema], ['subUsers', subUserSchema]))
  async get(
    @CurrentCaller() { accountID }: Caller,
    @Query() { subUserID }: GetSubUsersDto,
    @PageQuery() page: Page,
  ): Promise<SubUserAnswer | SubUsersAnswer> {
    if (subUserID !== undefined) {
      return presentOne('subUser', presentSubUser(await this.subUsers.find(accountID, subUserID)));
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

  @Action('delete')
  @Answers(deleted('subUserID'))
  async delete(
    @CurrentCaller() caller: Caller,
    @Body() { subUserID }: DeleteSubUserDto,
  ): Promise<DeletedAnswer<'subUserID'>> {
    await this.subUsers.delete(caller, subUserID);
    return presentDeleted('subUserID', subUserID);
  }
}
