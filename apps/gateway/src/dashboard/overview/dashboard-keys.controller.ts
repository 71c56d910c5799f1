import { Body, Controller, Delete, Get, HttpCode, Inject, Param, Post, Query } from '@nestjs/common';
import type { Clock } from '@rtms/clock';
import { z } from 'zod';
import { ApiKeysService } from '../../accounts/keys/api-keys.service.js';
import {
  issuedKeySchema,
  keySchema,
  presentIssuedKey,
  presentKey,
  CreateKeyDto,
  DeleteKeyDto,
  DisableKeyDto,
  RotateKeyDto,
} from '../../accounts/keys/key.dto.js';
import { CurrentAccount, DashboardFor, type SignedInAccount } from '../../platform/auth/signed-in.decorators.js';
import { AsksPassword } from '../../accounts/sign-in/recent-password.guard.js';
import { ApiAnswer, ApiOperation, ApiTag } from '../../platform/http/api.decorators.js';
import { one } from '../../platform/http/answers.js';
import { presentOne } from '../../platform/http/present.js';
import { CLOCK } from '../../platform/runtime/runtime.module.js';

@ApiTag({ name: 'Main keys', description: 'The main keys of the account.' })
@Controller('dashboard/api/keys')
@DashboardFor('owner')
export class DashboardKeysController {
  constructor(
    private readonly keys: ApiKeysService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  @Get()
  @ApiOperation({ operationId: 'listKeys', summary: 'List the main keys' })
  @ApiAnswer(one('keys', z.array(keySchema).describe('The keys, newest first.')))
  async list(@CurrentAccount() { accountID }: SignedInAccount) {
    const keys = await this.keys.list(accountID);
    return presentOne(
      'keys',
      keys.map(key => presentKey(key, this.clock.now())),
    );
  }

  @AsksPassword()
  @Post()
  @ApiOperation({
    operationId: 'createKey',
    summary: 'Create a main key',
    description: 'This answer alone contains the key itself.',
  })
  @ApiAnswer(one('key', issuedKeySchema), 'name_taken')
  async create(@CurrentAccount() { accountID, apiUserName }: SignedInAccount, @Body() { type }: CreateKeyDto) {
    return presentIssuedKey(apiUserName, await this.keys.create(accountID, type));
  }

  @AsksPassword()
  @Post('rotate')
  @ApiOperation({
    operationId: 'rotateKey',
    summary: 'Replace a main key',
    description: 'This answer alone contains the new key.',
  })
  @ApiAnswer(one('key', issuedKeySchema))
  async rotate(
    @CurrentAccount() { accountID, apiUserName }: SignedInAccount,
    @Body() { type, overlapHours }: RotateKeyDto,
  ) {
    const owner = { accountID, subUserID: null };
    return presentIssuedKey(apiUserName, await this.keys.rotate(owner, type, overlapHours ?? 0));
  }

  @Post(':keyID/disable')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'disableKey',
    summary: 'Disable a main key',
    description: 'The service refuses the key from the next request on, until the key is enabled again.',
  })
  @ApiAnswer(one('key', keySchema), 'last_key')
  disable(
    @CurrentAccount() { accountID }: SignedInAccount,
    @Param('keyID') keyID: string,
    @Body() { force }: DisableKeyDto,
  ) {
    return this.change({ accountID, keyID }, 'disable', force === true);
  }

  @Post(':keyID/enable')
  @HttpCode(200)
  @ApiOperation({ operationId: 'enableKey', summary: 'Enable a main key' })
  @ApiAnswer(one('key', keySchema), 'already_revoked')
  enable(@CurrentAccount() { accountID }: SignedInAccount, @Param('keyID') keyID: string) {
    return this.change({ accountID, keyID }, 'enable');
  }

  @Delete(':keyID')
  @ApiOperation({
    operationId: 'deleteKey',
    summary: 'Revoke a main key',
    description: 'Revocation is final. Revoking the key again changes nothing.',
  })
  @ApiAnswer(one('key', keySchema), 'last_key')
  delete(
    @CurrentAccount() { accountID }: SignedInAccount,
    @Param('keyID') keyID: string,
    @Query() { force }: DeleteKeyDto,
  ) {
    return this.change({ accountID, keyID }, 'revoke', force === 'true');
  }

  private async change(...change: Parameters<ApiKeysService['changeMainKey']>) {
    return presentOne('key', presentKey(await this.keys.changeMainKey(...change), this.clock.now()));
  }
}
