import { Body, Controller, Get, Param, Post } from '@nestjs/common';
import { z } from 'zod';
import { AccountsService } from '../accounts/accounts.service.js';
import { ApiKeysService, type IssuedKey } from '../accounts/api-keys.service.js';
import { AdministratorOnly } from '../auth/auth.decorators.js';
import { Answers, one } from '../http/answers.js';
import { presentOne, type OneAnswer } from '../http/present.js';
import { CreateKeyDto, RotateKeyDto } from './dto/accounts.dto.js';
import { issuedKeySchema, keySchema, presentKey, type PresentedKey } from './present-account.js';

/** A new key with the credential's two halves. */
type IssuedAnswer = OneAnswer<'key', PresentedKey & { apiUserName: string; apiKey: string }>;

/** Main keys of an account. The key itself stands in the answer that made it and nowhere else. */
@Controller('admin/v1/accounts/:accountID/keys')
@AdministratorOnly()
export class AdminKeysController {
  constructor(
    private readonly accounts: AccountsService,
    private readonly keys: ApiKeysService,
  ) {}

  @Get()
  @Answers(one('keys', z.array(keySchema)))
  async list(@Param('accountID') accountID: string): Promise<OneAnswer<'keys', PresentedKey[]>> {
    await this.accounts.find(accountID);
    const keys = await this.keys.list(accountID);
    return presentOne(
      'keys',
      keys.map(key => presentKey(key)),
    );
  }

  @Post()
  @Answers(one('key', issuedKeySchema), 'already_exists', 'name_taken')
  async create(@Param('accountID') accountID: string, @Body() dto: CreateKeyDto): Promise<IssuedAnswer> {
    const { apiUserName } = await this.accounts.find(accountID);
    return presentIssued(apiUserName, await this.keys.create(accountID, dto.type));
  }

  @Post('rotate')
  @Answers(one('key', issuedKeySchema))
  async rotate(@Param('accountID') accountID: string, @Body() dto: RotateKeyDto): Promise<IssuedAnswer> {
    const { apiUserName } = await this.accounts.find(accountID);
    return presentIssued(apiUserName, await this.keys.rotate(accountID, dto.type, dto.overlapHours ?? 0));
  }
}

function presentIssued(apiUserName: string, { key, apiKey }: IssuedKey): IssuedAnswer {
  return presentOne('key', { ...presentKey(key), apiUserName, apiKey });
}
