import { Body, Controller, Inject, Query } from '@nestjs/common';
import type { Clock } from '@rtms/clock';
import type { KeyChange } from '../keys/api-keys.service.js';
import { issuedKeySchema, keySchema, presentIssuedKey, presentKey } from '../keys/key.dto.js';
import { CurrentCaller, RequireOperation } from '../../platform/auth/auth.decorators.js';
import type { Caller } from '../../platform/auth/caller.js';
import { Action, ReadAction } from '../../platform/http/action.decorator.js';
import { AsksPassword } from '../sign-in/recent-password.guard.js';
import { ApiAnswer, ApiOperation, ApiTag } from '../../platform/http/api.decorators.js';
import { deleted, one, oneOrList } from '../../platform/http/answers.js';
import { PageQuery, type Page } from '../../platform/http/page.decorator.js';
import { presentDeleted, presentList, presentOne } from '../../platform/http/present.js';
import { CLOCK } from '../../platform/runtime/runtime.module.js';
import {
  CreateSubUserDto,
  detailedSubUserSchema,
  GetSubUsersDto,
  issuedSubUserSchema,
  presentDetailedSubUser,
  presentSubUser,
  RotateSubUserKeyDto,
  SubUserIDDto,
  SubUserKeyDto,
  subUserSchema,
  UpdateSubUserDto,
} from './sub-user.dto.js';
import { SubUsersService } from './sub-users.service.js';

@ApiTag({
  name: 'Sub-users',
  description: 'Holders of keys that share the account and its balance. They do not sign in to the dashboard.',
  post: 'postSubUsers',
})
@Controller('v1/subusers')
@RequireOperation('manageSubUsers')
export class SubUsersController {
  constructor(
    private readonly subUsers: SubUsersService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  @AsksPassword()
  @Action('create')
  @ApiOperation({
    operationId: 'createSubUser',
    summary: 'Create a sub-user',
    description: 'This answer alone contains the keys of the sub-user. Store them.',
  })
  @ApiAnswer(one('subUser', issuedSubUserSchema), 'limit_reached', 'too_many_waiting', 'name_taken')
  async create(@CurrentCaller() caller: Caller, @Body() dto: CreateSubUserDto) {
    const { subUser, apiKeys } = await this.subUsers.create(caller, dto);
    return presentOne('subUser', { ...presentSubUser(subUser), apiKeys });
  }

  @ReadAction('get')
  @ApiOperation({
    operationId: 'getSubUsers',
    summary: 'Read one sub-user or list sub-users',
    description: 'With `subUserID`, answers that sub-user and its keys. Without it, lists all sub-users, newest first.',
  })
  @ApiAnswer(oneOrList(['subUser', detailedSubUserSchema], ['subUsers', subUserSchema]))
  async get(@CurrentCaller() { accountID }: Caller, @Query() { subUserID }: GetSubUsersDto, @PageQuery() page: Page) {
    if (subUserID !== undefined) {
      const subUser = await this.subUsers.find(accountID, subUserID);
      const keys = await this.subUsers.keysOf(subUser);
      return presentOne('subUser', presentDetailedSubUser(subUser, keys, this.clock.now()));
    }
    return presentList('subUsers', await this.subUsers.list(accountID, page), page, presentSubUser);
  }

  @Action('update')
  @ApiOperation({
    operationId: 'updateSubUser',
    summary: 'Change a sub-user',
    description: 'Changes only the fields that are sent.',
  })
  @ApiAnswer(one('subUser', subUserSchema), 'name_taken')
  async update(@CurrentCaller() caller: Caller, @Body() dto: UpdateSubUserDto) {
    return presentOne('subUser', presentSubUser(await this.subUsers.update(caller, dto)));
  }

  @AsksPassword()
  @Action('rotateKey')
  @ApiOperation({
    operationId: 'rotateSubUserKey',
    summary: 'Replace a key of a sub-user',
    description: 'This answer alone contains the new key. Store it.',
  })
  @ApiAnswer(one('key', issuedKeySchema), 'limit_reached')
  async rotateKey(@CurrentCaller() caller: Caller, @Body() dto: RotateSubUserKeyDto) {
    const { subUser, issued } = await this.subUsers.rotateKey(caller, dto);
    return presentIssuedKey(subUser.apiUserName, issued);
  }

  @Action('disableKey')
  @ApiOperation({
    operationId: 'disableSubUserKey',
    summary: 'Disable a key of a sub-user',
    description: 'The service refuses the key from the next request on, until the key is enabled again.',
  })
  @ApiAnswer(one('key', keySchema))
  disableKey(@CurrentCaller() caller: Caller, @Body() dto: SubUserKeyDto) {
    return this.changeKey(caller, dto, 'disable');
  }

  @Action('enableKey')
  @ApiOperation({ operationId: 'enableSubUserKey', summary: 'Enable a key of a sub-user' })
  @ApiAnswer(one('key', keySchema), 'already_revoked')
  enableKey(@CurrentCaller() caller: Caller, @Body() dto: SubUserKeyDto) {
    return this.changeKey(caller, dto, 'enable');
  }

  @Action('deleteKey')
  @ApiOperation({
    operationId: 'deleteSubUserKey',
    summary: 'Revoke a key of a sub-user',
    description:
      'Revocation is final. The record of the key remains for the retention time. Revoking the key again changes nothing.',
  })
  @ApiAnswer(one('key', keySchema))
  deleteKey(@CurrentCaller() caller: Caller, @Body() dto: SubUserKeyDto) {
    return this.changeKey(caller, dto, 'revoke');
  }

  @Action('delete')
  @ApiOperation({
    operationId: 'deleteSubUser',
    summary: 'Delete a sub-user',
    description:
      'The service refuses all keys of the sub-user from the next request on. Repeating the deletion gives the same answer.',
  })
  @ApiAnswer(deleted('subUserID'))
  async delete(@CurrentCaller() caller: Caller, @Body() { subUserID }: SubUserIDDto) {
    await this.subUsers.delete(caller, subUserID);
    return presentDeleted('subUserID', subUserID);
  }

  private async changeKey(caller: Caller, dto: SubUserKeyDto, change: KeyChange) {
    return presentOne('key', presentKey(await this.subUsers.changeKey(caller, dto, change), this.clock.now()));
  }
}
