import { Body, Controller, Query } from '@nestjs/common';
import { ServiceError } from '@rtms/contracts';
import { z } from 'zod';
import { RequireOperation } from '../auth/auth.decorators.js';
import { CurrentSettingsScope, type SettingsScope } from '../auth/settings-scope.js';
import { Action, ReadAction } from '../http/action.decorator.js';
import { Answers, deleted, one, oneOrList } from '../http/answers.js';
import { PageQuery, type Page } from '../http/page.decorator.js';
import { presentDeleted, presentList, presentOne } from '../http/present.js';
import { CreateEventSettingDto } from './dto/create-event-setting.dto.js';
import { DeleteEventSettingDto } from './dto/delete-event-setting.dto.js';
import { GetEventSettingsDto } from './dto/get-event-settings.dto.js';
import { UpdateEventSettingDto } from './dto/update-event-setting.dto.js';
import { EventSettingsService } from './event-settings.service.js';
import { eventSettingSchema } from './present-event-setting.js';

@Controller('v1/eventssettings')
export class EventSettingsController {
  constructor(private readonly settings: EventSettingsService) {}

  @Action('create')
  @RequireOperation('manageSettings')
  @Answers(one('eventsSetting', eventSettingSchema), 'already_exists')
  async create(@CurrentSettingsScope() scope: SettingsScope, @Body() dto: CreateEventSettingDto) {
    return presentOne('eventsSetting', await this.settings.create(scope, dto));
  }

  @Action('update')
  @RequireOperation('manageSettings')
  @Answers(one('eventsSetting', eventSettingSchema), 'already_exists')
  async update(@CurrentSettingsScope() scope: SettingsScope, @Body() dto: UpdateEventSettingDto) {
    return presentOne('eventsSetting', await this.settings.update(scope, dto));
  }

  @ReadAction('get')
  @RequireOperation('readSettings')
  @Answers(oneOrList(['eventsSetting', eventSettingSchema], ['eventsSettings', eventSettingSchema]))
  async get(
    @CurrentSettingsScope() scope: SettingsScope,
    @Query() { eventsSettingID, type }: GetEventSettingsDto,
    @PageQuery() page: Page,
  ) {
    if (eventsSettingID !== undefined) {
      return presentOne('eventsSetting', await this.settings.get(scope, eventsSettingID));
    }
    const { items, total } = await this.settings.list(scope, type, page);
    return presentList('eventsSettings', items, total, page);
  }

  @Action('delete')
  @RequireOperation('manageSettings')
  @Answers(z.union([deleted('eventsSettingID'), deleted('type')]))
  async delete(@CurrentSettingsScope() scope: SettingsScope, @Body() { eventsSettingID, type }: DeleteEventSettingDto) {
    if (eventsSettingID) {
      await this.settings.delete(scope, eventsSettingID);
      return presentDeleted('eventsSettingID', eventsSettingID);
    }
    if (!type) throw new ServiceError('invalid_request', 'Name the event settings by eventsSettingID or by type.');
    await this.settings.deleteType(scope, type);
    return presentDeleted('type', type);
  }
}
