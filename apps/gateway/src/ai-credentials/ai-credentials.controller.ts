import { Body, Controller, Query } from '@nestjs/common';
import { CurrentCaller, RequireOperation } from '../auth/auth.decorators.js';
import type { Caller } from '../auth/caller.js';
import { Action, ReadAction } from '../http/action.decorator.js';
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
import { AiCredentialsService } from './ai-credentials.service.js';
import { AiCredentialNameDto } from './dto/ai-credential-name.dto.js';
import { CreateAiCredentialDto } from './dto/create-ai-credential.dto.js';
import { GetAiCredentialsDto } from './dto/get-ai-credentials.dto.js';
import { UpdateAiCredentialDto } from './dto/update-ai-credential.dto.js';
import { aiCredentialSchema, presentAiCredential, type PresentedAiCredential } from './present-ai-credential.js';

type CredentialAnswer = OneAnswer<'aiCredential', PresentedAiCredential>;
type CredentialsAnswer = ListAnswer<'aiCredentials', PresentedAiCredential>;

/** The account's own keys for providers of AI. */
@Controller('v1/aicredentials')
@RequireOperation('manageAiCredentials')
export class AiCredentialsController {
  constructor(private readonly credentials: AiCredentialsService) {}

  @Action('create')
  @Answers(one('aiCredential', aiCredentialSchema), 'name_taken')
  async create(@CurrentCaller() { accountID }: Caller, @Body() dto: CreateAiCredentialDto): Promise<CredentialAnswer> {
    return presentOne('aiCredential', presentAiCredential(await this.credentials.create(accountID, dto)));
  }

  @ReadAction('get')
  @Answers(oneOrList(['aiCredential', aiCredentialSchema], ['aiCredentials', aiCredentialSchema]))
  async get(
    @CurrentCaller() { accountID }: Caller,
    @Query() { aiCredentialID, ...filter }: GetAiCredentialsDto,
    @PageQuery() page: Page,
  ): Promise<CredentialAnswer | CredentialsAnswer> {
    if (aiCredentialID !== undefined) {
      return presentOne('aiCredential', presentAiCredential(await this.credentials.find(accountID, aiCredentialID)));
    }
    const { items, total } = await this.credentials.list(accountID, filter, page);
    return presentList('aiCredentials', items.map(presentAiCredential), total, page);
  }

  @Action('update')
  @Answers(one('aiCredential', aiCredentialSchema), 'name_taken', 'in_use')
  async update(@CurrentCaller() { accountID }: Caller, @Body() dto: UpdateAiCredentialDto): Promise<CredentialAnswer> {
    return presentOne('aiCredential', presentAiCredential(await this.credentials.update(accountID, dto)));
  }

  @Action('delete')
  @Answers(deleted('aiCredentialID'), 'in_use')
  async delete(
    @CurrentCaller() { accountID }: Caller,
    @Body() { aiCredentialID }: AiCredentialNameDto,
  ): Promise<DeletedAnswer<'aiCredentialID'>> {
    await this.credentials.delete(accountID, aiCredentialID);
    return presentDeleted('aiCredentialID', aiCredentialID);
  }
}
