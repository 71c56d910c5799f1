import { Body, Controller, Delete, Get, HttpCode, Inject, Param, Query } from '@nestjs/common';
import type { Clock } from '@rtms/clock';
import { z } from 'zod';
import { AccountsService } from '../accounts/account/accounts.service.js';
import { disposableKeySchema, presentDisposableKey } from '../accounts/disposable-keys/disposable-key.dto.js';
import { DisposableKeysService } from '../accounts/disposable-keys/disposable-keys.service.js';
import { ApiKeysService } from '../accounts/keys/api-keys.service.js';
import {
  issuedKeySchema,
  keySchema,
  presentIssuedKey,
  presentKey,
  CreateKeyDto,
  DeleteKeyDto,
  DisableKeyDto,
  RotateKeyDto,
} from '../accounts/keys/key.dto.js';
import { AdministratorOnly } from '../platform/auth/auth.decorators.js';
import { AsksPassword } from '../accounts/sign-in/recent-password.guard.js';
import { ApiAnswer, ApiOperation, ApiTag } from '../platform/http/api.decorators.js';
import { list, one } from '../platform/http/answers.js';
import { PageQuery, type Page } from '../platform/http/page.decorator.js';
import { presentList, presentOne } from '../platform/http/present.js';
import { IdempotentPost } from '../platform/idempotency/idempotency.interceptor.js';
import { CLOCK } from '../platform/runtime/runtime.module.js';

@ApiTag({ name: 'Keys', description: 'Keys of an account.' })
@Controller('admin/v1/accounts/:accountID/keys')
@AdministratorOnly()
export class AdminKeysController {
  constructor(
    private readonly accounts: AccountsService,
    private readonly keys: ApiKeysService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  @Get()
  @ApiOperation({ operationId: 'listKeys', summary: 'List the main keys of an account' })
  @ApiAnswer(one('keys', z.array(keySchema).describe('The keys, newest first.')))
  async list(@Param('accountID') accountID: string) {
    await this.accounts.find(accountID);
    const keys = await this.keys.list(accountID);
    return presentOne(
      'keys',
      keys.map(key => presentKey(key, this.clock.now())),
    );
  }

  @AsksPassword()
  @IdempotentPost()
  @ApiOperation({
    operationId: 'createKey',
    summary: 'Create a main key',
    description: 'This answer alone contains the key itself.',
  })
  @ApiAnswer(one('key', issuedKeySchema), 'already_exists', 'name_taken', 'already_deleted')
  async create(@Param('accountID') accountID: string, @Body() dto: CreateKeyDto) {
    const { apiUserName } = await this.accounts.findKept(accountID);
    return presentIssuedKey(apiUserName, await this.keys.create(accountID, dto.type));
  }

  @AsksPassword()
  @IdempotentPost('rotate')
  @ApiOperation({
    operationId: 'rotateKey',
    summary: 'Replace a main key',
    description: 'This answer alone contains the new key.',
  })
  @ApiAnswer(one('key', issuedKeySchema), 'already_deleted')
  async rotate(@Param('accountID') accountID: string, @Body() dto: RotateKeyDto) {
    const { apiUserName } = await this.accounts.findKept(accountID);
    return presentIssuedKey(
      apiUserName,
      await this.keys.rotate({ accountID, subUserID: null }, dto.type, dto.overlapHours ?? 0),
    );
  }

  @IdempotentPost(':keyID/disable')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'disableKey',
    summary: 'Disable a main key',
    description: 'The service refuses the key from the next request on, until the key is enabled again.',
  })
  @ApiAnswer(one('key', keySchema), 'last_key')
  disable(@Param('accountID') accountID: string, @Param('keyID') keyID: string, @Body() { force }: DisableKeyDto) {
    return this.change({ accountID, keyID }, 'disable', force === true);
  }

  @IdempotentPost(':keyID/enable')
  @HttpCode(200)
  @ApiOperation({ operationId: 'enableKey', summary: 'Enable a main key' })
  @ApiAnswer(one('key', keySchema), 'already_revoked')
  enable(@Param('accountID') accountID: string, @Param('keyID') keyID: string) {
    return this.change({ accountID, keyID }, 'enable');
  }

  @Delete(':keyID')
  @ApiOperation({
    operationId: 'deleteKey',
    summary: 'Revoke a main key',
    description:
      'Revocation is final. The record of the key remains for the retention time. Revoking the key again changes nothing.',
  })
  @ApiAnswer(one('key', keySchema), 'last_key')
  delete(@Param('accountID') accountID: string, @Param('keyID') keyID: string, @Query() { force }: DeleteKeyDto) {
    return this.change({ accountID, keyID }, 'revoke', force === 'true');
  }

  private async change(...change: Parameters<ApiKeysService['changeMainKey']>) {
    return presentOne('key', presentKey(await this.keys.changeMainKey(...change), this.clock.now()));
  }
}

/** Reads the disposable keys of an account. Only the owner creates and revokes them. */
@ApiTag({ name: 'Keys' })
@Controller('admin/v1/accounts/:accountID/disposable-keys')
@AdministratorOnly()
export class AdminDisposableKeysController {
  constructor(
    private readonly accounts: AccountsService,
    private readonly keys: DisposableKeysService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  @Get()
  @ApiOperation({
    operationId: 'listDisposableKeys',
    summary: 'List the disposable keys of an account',
    description: 'Newest first. The owner of the account creates and revokes them.',
  })
  @ApiAnswer(list('disposableKeys', disposableKeySchema))
  async list(@Param('accountID') accountID: string, @PageQuery() page: Page) {
    await this.accounts.find(accountID);
    return presentList('disposableKeys', await this.keys.list(accountID, page), page, key =>
      presentDisposableKey(key, this.clock.now()),
    );
  }
}
