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
import { CreateSipConfigDto } from './dto/create-sip-config.dto.js';
import { GetSipConfigsDto } from './dto/get-sip-configs.dto.js';
import { SipConfigNameDto } from './dto/sip-config-name.dto.js';
import { UpdateSipConfigDto } from './dto/update-sip-config.dto.js';
import { sipConfigSchema, presentSipConfig, type PresentedSipConfig } from './present-sip-config.js';
import { SipConfigsService } from './sip-configs.service.js';

type SipConfigAnswer = OneAnswer<'sipConfig', PresentedSipConfig>;
type SipConfigsAnswer = ListAnswer<'sipConfigs', PresentedSipConfig>;

/** The account's own telephone numbers. */
@Controller('v1/sipconfigs')
@RequireOperation('manageSip')
export class SipConfigsController {
  constructor(private readonly configs: SipConfigsService) {}

  @Action('create')
  @Answers(one('sipConfig', sipConfigSchema), 'name_taken')
  async create(@CurrentCaller() { accountID }: Caller, @Body() dto: CreateSipConfigDto): Promise<SipConfigAnswer> {
    return presentOne('sipConfig', presentSipConfig(await this.configs.create(accountID, dto)));
  }

  @ReadAction('get')
  @Answers(oneOrList(['sipConfig', sipConfigSchema], ['sipConfigs', sipConfigSchema]))
  async get(
    @CurrentCaller() { accountID }: Caller,
    @Query() { sipConfigID, ...filter }: GetSipConfigsDto,
    @PageQuery() page: Page,
  ): Promise<SipConfigAnswer | SipConfigsAnswer> {
    if (sipConfigID !== undefined) {
      return presentOne('sipConfig', presentSipConfig(await this.configs.find(accountID, sipConfigID)));
    }
    const { items, total } = await this.configs.list(accountID, filter, page);
    return presentList('sipConfigs', items.map(presentSipConfig), total, page);
  }

  @Action('update')
  @Answers(one('sipConfig', sipConfigSchema), 'name_taken')
  async update(@CurrentCaller() { accountID }: Caller, @Body() dto: UpdateSipConfigDto): Promise<SipConfigAnswer> {
    return presentOne('sipConfig', presentSipConfig(await this.configs.update(accountID, dto)));
  }

  @Action('delete')
  @Answers(deleted('sipConfigID'))
  async delete(
    @CurrentCaller() { accountID }: Caller,
    @Body() { sipConfigID }: SipConfigNameDto,
  ): Promise<DeletedAnswer<'sipConfigID'>> {
    await this.configs.delete(accountID, sipConfigID);
    return presentDeleted('sipConfigID', sipConfigID);
  }
}
