import { Body, Controller, Query } from '@nestjs/common';
import { CurrentCaller, RequireOperation } from '../../platform/auth/auth.decorators.js';
import type { Caller } from '../../platform/auth/caller.js';
import { Action, ReadAction } from '../../platform/http/action.decorator.js';
import { ApiAnswer, ApiOperation, ApiTag } from '../../platform/http/api.decorators.js';
import { deleted, one, oneOrList } from '../../platform/http/answers.js';
import { PageQuery, type Page } from '../../platform/http/page.decorator.js';
import { presentDeleted, presentList, presentOne } from '../../platform/http/present.js';
import {
  CreateTranslationConfigDto,
  GetTranslationConfigsDto,
  TranslationConfigIDDto,
  UpdateTranslationConfigDto,
  translationConfigSchema,
  presentTranslationConfig,
} from './translation-config.dto.js';
import { TranslationConfigsService } from './translation-configs.service.js';

@ApiTag({
  name: 'Translation configurations',
  description: 'Named presets of AI notes and translation. Stored only: the service does neither.',
  post: 'postTranslationConfigs',
})
@Controller('v1/translationconfigs')
@RequireOperation('manageTranslation')
export class TranslationConfigsController {
  constructor(private readonly configs: TranslationConfigsService) {}

  @Action('create')
  @ApiOperation({ operationId: 'createTranslationConfig', summary: 'Create a translation configuration' })
  @ApiAnswer(one('translationConfig', translationConfigSchema), 'name_taken')
  async create(@CurrentCaller() { accountID }: Caller, @Body() dto: CreateTranslationConfigDto) {
    return presentOne('translationConfig', presentTranslationConfig(await this.configs.create(accountID, dto)));
  }

  @ReadAction('get')
  @ApiOperation({
    operationId: 'getTranslationConfigs',
    summary: 'Read one translation configuration or list them',
    description:
      'With `translationConfigID`, answers that configuration. Without it, lists all configurations, newest first.',
  })
  @ApiAnswer(oneOrList(['translationConfig', translationConfigSchema], ['translationConfigs', translationConfigSchema]))
  async get(
    @CurrentCaller() { accountID }: Caller,
    @Query() { translationConfigID, ...filter }: GetTranslationConfigsDto,
    @PageQuery() page: Page,
  ) {
    if (translationConfigID !== undefined) {
      return presentOne(
        'translationConfig',
        presentTranslationConfig(await this.configs.find(accountID, translationConfigID)),
      );
    }
    return presentList(
      'translationConfigs',
      await this.configs.list(accountID, page, filter),
      page,
      presentTranslationConfig,
    );
  }

  @Action('update')
  @ApiOperation({
    operationId: 'updateTranslationConfig',
    summary: 'Change a translation configuration',
    description: 'Changes only the fields that are sent.',
  })
  @ApiAnswer(one('translationConfig', translationConfigSchema), 'name_taken', 'in_use')
  async update(@CurrentCaller() { accountID }: Caller, @Body() dto: UpdateTranslationConfigDto) {
    return presentOne('translationConfig', presentTranslationConfig(await this.configs.update(accountID, dto)));
  }

  @Action('delete')
  @ApiOperation({
    operationId: 'deleteTranslationConfig',
    summary: 'Delete a translation configuration',
    description: 'Remove the configuration from event settings first. Repeating the deletion gives the same answer.',
  })
  @ApiAnswer(deleted('translationConfigID'), 'in_use')
  async delete(@CurrentCaller() { accountID }: Caller, @Body() { translationConfigID }: TranslationConfigIDDto) {
    await this.configs.delete(accountID, translationConfigID);
    return presentDeleted('translationConfigID', translationConfigID);
  }
}
