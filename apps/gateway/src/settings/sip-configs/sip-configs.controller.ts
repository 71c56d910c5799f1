import { Body, Controller, Query } from '@nestjs/common';
import { CurrentCaller, RequireOperation } from '../../platform/auth/auth.decorators.js';
import type { Caller } from '../../platform/auth/caller.js';
import { Action, ReadAction } from '../../platform/http/action.decorator.js';
import { ApiAnswer, ApiOperation, ApiTag } from '../../platform/http/api.decorators.js';
import { deleted, one, oneOrList } from '../../platform/http/answers.js';
import { PageQuery, type Page } from '../../platform/http/page.decorator.js';
import { presentDeleted, presentList, presentOne } from '../../platform/http/present.js';
import {
  CreateSipConfigDto,
  GetSipConfigsDto,
  SipConfigIDDto,
  UpdateSipConfigDto,
  sipConfigSchema,
  presentSipConfig,
} from './sip-config.dto.js';
import { SipConfigsService } from './sip-configs.service.js';

@ApiTag({
  name: 'SIP configurations',
  description: 'The account’s own telephone numbers. Stored only: the service answers and places no calls.',
  post: 'postSipConfigs',
})
@Controller('v1/sipconfigs')
@RequireOperation('manageSip')
export class SipConfigsController {
  constructor(private readonly configs: SipConfigsService) {}

  @Action('create')
  @ApiOperation({
    operationId: 'createSipConfig',
    summary: 'Create a SIP configuration',
    description: 'Answers contain no password.',
  })
  @ApiAnswer(one('sipConfig', sipConfigSchema), 'name_taken')
  async create(@CurrentCaller() { accountID }: Caller, @Body() dto: CreateSipConfigDto) {
    return presentOne('sipConfig', presentSipConfig(await this.configs.create(accountID, dto)));
  }

  @ReadAction('get')
  @ApiOperation({
    operationId: 'getSipConfigs',
    summary: 'Read one SIP configuration or list them',
    description: 'With `sipConfigID`, answers that configuration. Without it, lists all configurations, newest first.',
  })
  @ApiAnswer(oneOrList(['sipConfig', sipConfigSchema], ['sipConfigs', sipConfigSchema]))
  async get(
    @CurrentCaller() { accountID }: Caller,
    @Query() { sipConfigID, ...filter }: GetSipConfigsDto,
    @PageQuery() page: Page,
  ) {
    if (sipConfigID !== undefined) {
      return presentOne('sipConfig', presentSipConfig(await this.configs.find(accountID, sipConfigID)));
    }
    return presentList('sipConfigs', await this.configs.list(accountID, page, filter), page, presentSipConfig);
  }

  @Action('update')
  @ApiOperation({
    operationId: 'updateSipConfig',
    summary: 'Change a SIP configuration',
    description: 'Changes only the fields that are sent.',
  })
  @ApiAnswer(one('sipConfig', sipConfigSchema), 'name_taken')
  async update(@CurrentCaller() { accountID }: Caller, @Body() dto: UpdateSipConfigDto) {
    return presentOne('sipConfig', presentSipConfig(await this.configs.update(accountID, dto)));
  }

  @Action('delete')
  @ApiOperation({
    operationId: 'deleteSipConfig',
    summary: 'Delete a SIP configuration',
    description: 'Repeating the deletion gives the same answer.',
  })
  @ApiAnswer(deleted('sipConfigID'))
  async delete(@CurrentCaller() { accountID }: Caller, @Body() { sipConfigID }: SipConfigIDDto) {
    await this.configs.delete(accountID, sipConfigID);
    return presentDeleted('sipConfigID', sipConfigID);
  }
}
