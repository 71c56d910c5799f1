import { Body, Controller, Query } from '@nestjs/common';
import { CurrentCaller, RequireOperation } from '../../platform/auth/auth.decorators.js';
import type { Caller } from '../../platform/auth/caller.js';
import { Action, ReadAction } from '../../platform/http/action.decorator.js';
import { ApiAnswer, ApiOperation, ApiTag } from '../../platform/http/api.decorators.js';
import { deleted, one, oneOrList } from '../../platform/http/answers.js';
import { PageQuery, type Page } from '../../platform/http/page.decorator.js';
import { presentDeleted, presentList, presentOne } from '../../platform/http/present.js';
import { AiCredentialsService } from './ai-credentials.service.js';
import {
  AiCredentialIDDto,
  CreateAiCredentialDto,
  GetAiCredentialsDto,
  UpdateAiCredentialDto,
  aiCredentialSchema,
  presentAiCredential,
} from './ai-credential.dto.js';

@ApiTag({
  name: 'AI credentials',
  description: 'The account’s own keys of AI providers. Stored only: the service does not call them.',
  post: 'postAiCredentials',
})
@Controller('v1/aicredentials')
@RequireOperation('manageAiCredentials')
export class AiCredentialsController {
  constructor(private readonly credentials: AiCredentialsService) {}

  @Action('create')
  @ApiOperation({
    operationId: 'createAiCredential',
    summary: 'Create an AI credential',
    description: 'Answers contain the masked key only.',
  })
  @ApiAnswer(one('aiCredential', aiCredentialSchema), 'name_taken')
  async create(@CurrentCaller() { accountID }: Caller, @Body() dto: CreateAiCredentialDto) {
    return presentOne('aiCredential', presentAiCredential(await this.credentials.create(accountID, dto)));
  }

  @ReadAction('get')
  @ApiOperation({
    operationId: 'getAiCredentials',
    summary: 'Read one AI credential or list them',
    description: 'With `aiCredentialID`, answers that credential. Without it, lists all credentials, newest first.',
  })
  @ApiAnswer(oneOrList(['aiCredential', aiCredentialSchema], ['aiCredentials', aiCredentialSchema]))
  async get(
    @CurrentCaller() { accountID }: Caller,
    @Query() { aiCredentialID, ...filter }: GetAiCredentialsDto,
    @PageQuery() page: Page,
  ) {
    if (aiCredentialID !== undefined) {
      return presentOne('aiCredential', presentAiCredential(await this.credentials.find(accountID, aiCredentialID)));
    }
    return presentList(
      'aiCredentials',
      await this.credentials.list(accountID, page, filter),
      page,
      presentAiCredential,
    );
  }

  @Action('update')
  @ApiOperation({
    operationId: 'updateAiCredential',
    summary: 'Change an AI credential',
    description: 'Changes only the fields that are sent.',
  })
  @ApiAnswer(one('aiCredential', aiCredentialSchema), 'name_taken', 'in_use')
  async update(@CurrentCaller() { accountID }: Caller, @Body() dto: UpdateAiCredentialDto) {
    return presentOne('aiCredential', presentAiCredential(await this.credentials.update(accountID, dto)));
  }

  @Action('delete')
  @ApiOperation({
    operationId: 'deleteAiCredential',
    summary: 'Delete an AI credential',
    description:
      'Remove the credential from translation configurations and agents first. Repeating the deletion gives the same answer.',
  })
  @ApiAnswer(deleted('aiCredentialID'), 'in_use')
  async delete(@CurrentCaller() { accountID }: Caller, @Body() { aiCredentialID }: AiCredentialIDDto) {
    await this.credentials.delete(accountID, aiCredentialID);
    return presentDeleted('aiCredentialID', aiCredentialID);
  }
}
