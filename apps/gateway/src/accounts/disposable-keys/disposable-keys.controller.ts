import { Body, Controller, Inject, Query } from '@nestjs/common';
import type { Clock } from '@rtms/clock';
import { CurrentCaller, RequireOperation } from '../../platform/auth/auth.decorators.js';
import type { Caller } from '../../platform/auth/caller.js';
import { Action, ReadAction } from '../../platform/http/action.decorator.js';
import { AsksPassword } from '../sign-in/recent-password.guard.js';
import { ApiAnswer, ApiOperation, ApiTag } from '../../platform/http/api.decorators.js';
import { one, oneOrList } from '../../platform/http/answers.js';
import { PageQuery, type Page } from '../../platform/http/page.decorator.js';
import { presentList, presentOne } from '../../platform/http/present.js';
import { CLOCK } from '../../platform/runtime/runtime.module.js';
import type { DisposableKey } from './disposable-key.entity.js';
import { DisposableKeysService } from './disposable-keys.service.js';
import {
  CreateDisposableKeyDto,
  detailedKeySchema,
  DisposableKeyIDDto,
  disposableKeySchema,
  GetDisposableKeysDto,
  issuedKeySchema,
  presentDetailed,
  presentDisposableKey,
  UpdateDisposableKeyDto,
} from './disposable-key.dto.js';
import { KeyUsageService } from './key-usage.service.js';

@ApiTag({
  name: 'Disposable keys',
  description: 'Keys that are limited to some operations, hosts or rooms.',
  post: 'postDisposableKeys',
})
@Controller('v1/disposable-keys')
@RequireOperation('manageKeys')
export class DisposableKeysController {
  constructor(
    private readonly keys: DisposableKeysService,
    private readonly usage: KeyUsageService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  @AsksPassword()
  @Action('create')
  @ApiOperation({
    operationId: 'createDisposableKey',
    summary: 'Create a disposable key',
    description: 'This answer alone contains the key itself. Store it.',
  })
  @ApiAnswer(one('disposableKey', issuedKeySchema), 'limit_reached', 'too_many_waiting', 'name_taken', 'key_revoked')
  async create(@CurrentCaller() caller: Caller, @Body() dto: CreateDisposableKeyDto) {
    const { key, apiKey } = await this.keys.create(caller, dto);
    const presented = presentDetailed(key, [], this.clock.now());
    return presentOne('disposableKey', { ...presented, apiUserName: caller.apiUserName, apiKey });
  }

  @ReadAction('get')
  @ApiOperation({
    operationId: 'getDisposableKeys',
    summary: 'Read one disposable key or list them',
    description:
      'With `keyID`, answers that key and its usage for each operation. Without it, lists the keys, newest first.',
  })
  @ApiAnswer(oneOrList(['disposableKey', detailedKeySchema], ['disposableKeys', disposableKeySchema]))
  async get(@CurrentCaller() { accountID }: Caller, @Query() { keyID }: GetDisposableKeysDto, @PageQuery() page: Page) {
    if (keyID !== undefined) return this.present(await this.keys.find(accountID, keyID));
    return presentList('disposableKeys', await this.keys.list(accountID, page), page, key =>
      presentDisposableKey(key, this.clock.now()),
    );
  }

  @Action('update')
  @ApiOperation({
    operationId: 'updateDisposableKey',
    summary: 'Change a disposable key',
    description: 'Changes only the fields that are sent.',
  })
  @ApiAnswer(one('disposableKey', detailedKeySchema), 'limit_reached', 'name_taken', 'already_revoked')
  async update(@CurrentCaller() caller: Caller, @Body() dto: UpdateDisposableKeyDto) {
    return this.present(await this.keys.update(caller, dto));
  }

  @Action('delete')
  @ApiOperation({
    operationId: 'deleteDisposableKey',
    summary: 'Revoke a disposable key',
    description: 'The service refuses the key from the next request on. The record of the key remains.',
  })
  @ApiAnswer(one('disposableKey', detailedKeySchema))
  async delete(@CurrentCaller() caller: Caller, @Body() { keyID }: DisposableKeyIDDto) {
    return this.present(await this.keys.revoke(caller, keyID));
  }

  private async present(key: DisposableKey) {
    return presentOne('disposableKey', presentDetailed(key, await this.usage.of(key.id), this.clock.now()));
  }
}
