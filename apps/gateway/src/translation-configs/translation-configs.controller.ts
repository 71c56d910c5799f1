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
import { CreateTranslationConfigDto } from './dto/create-translation-config.dto.js';
import { GetTranslationConfigsDto } from './dto/get-translation-configs.dto.js';
import { TranslationConfigNameDto } from './dto/translation-config-name.dto.js';
import { UpdateTranslationConfigDto } from './dto/update-translation-config.dto.js';
import {
  translationConfigSchema,
  presentTranslationConfig,
  type PresentedTranslationConfig,
} from './present-translation-config.js';
import { TranslationConfigsService } from './translation-configs.service.js';

type TranslationConfigAnswer = OneAnswer<'translationConfig', PresentedTranslationConfig>;
type TranslationConfigsAnswer = ListAnswer<'translationConfigs', PresentedTranslationConfig>;

/** Named presets of AI notes and translation. */
@Controller('v1/translationconfigs')
@RequireOperation('manageTranslation')
export class TranslationConfigsController {
  constructor(private readonly configs: TranslationConfigsService) {}

  @Action('create')
  @Answers(one('translationConfig', translationConfigSchema), 'name_taken')
  async create(
    @CurrentCaller() { accountID }: Caller,
    @Body() dto: CreateTranslationConfigDto,
  ): Promise<TranslationConfigAnswer> {
    return presentOne('translationConfig', presentTranslationConfig(await this.configs.create(accountID, dto)));
  }

  @ReadAction('get')
  @Answers(oneOrList(['translationConfig', translationConfigSchema], ['translationConfigs', translationConfigSchema]))
  async get(
    @CurrentCaller() { accountID }: Caller,
    @Query() { translationConfigID, ...filter }: GetTranslationConfigsDto,
    @PageQuery() page: Page,
  ): Promise<TranslationConfigAnswer | TranslationConfigsAnswer> {
    if (translationConfigID !== undefined) {
      return presentOne(
        'translationConfig',
        presentTranslationConfig(await this.configs.find(accountID, translationConfigID)),
      );
    }
    const { items, total } = await this.configs.list(accountID, filter, page);
    return presentList('translationConfigs', items.map(presentTranslationConfig), total, page);
  }

  @Action('update')
  @Answers(one('translationConfig', translationConfigSchema), 'name_taken', 'in_use')
  async update(
    @CurrentCaller() { accountID }: Caller,
    @Body() dto: UpdateTranslationConfigDto,
  ): Promise<TranslationConfigAnswer> {
    return presentOne('translationConfig', presentTranslationConfig(await this.configs.update(accountID, dto)));
  }

  @Action('delete')
  @Answers(deleted('translationConfigID'), 'in_use')
  async delete(
    @CurrentCaller() { accountID }: Caller,
    @Body() { translationConfigID }: TranslationConfigNameDto,
  ): Promise<DeletedAnswer<'translationConfigID'>> {
    await this.configs.delete(accountID, translationConfigID);
    return presentDeleted('translationConfigID', translationConfigID);
  }
}
