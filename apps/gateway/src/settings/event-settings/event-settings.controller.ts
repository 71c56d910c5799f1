import { Body, Controller, Query } from '@nestjs/common';
import { ServiceError } from '@rtms/contracts';
import { z } from 'zod';
import { CurrentSettingsScope, RequireOperation, type SettingsScope } from '../../platform/auth/auth.decorators.js';
import { Action, ReadAction } from '../../platform/http/action.decorator.js';
import { ApiAnswer, ApiOperation, ApiTag } from '../../platform/http/api.decorators.js';
import { deleted, one, oneOrList } from '../../platform/http/answers.js';
import { PageQuery, type Page } from '../../platform/http/page.decorator.js';
import { presentDeleted, presentList, presentOne } from '../../platform/http/present.js';
import {
  CreateEventSettingDto,
  DeleteEventSettingDto,
  eventSettingSchema,
  GetEventSettingsDto,
  UpdateEventSettingDto,
} from './event-setting.dto.js';
import { EventSettingsService } from './event-settings.service.js';

@ApiTag({
  name: 'Event settings',
  description: 'Defaults of new rooms, one record for each room type.',
  post: 'postEventSettings',
})
@Controller('v1/eventssettings')
export class EventSettingsController {
  constructor(private readonly settings: EventSettingsService) {}

  @Action('create')
  @RequireOperation('manageSettings')
  @ApiOperation({ operationId: 'createEventSetting', summary: 'Create event settings for a room type' })
  @ApiAnswer(one('eventsSetting', eventSettingSchema), 'already_exists')
  async create(@CurrentSettingsScope() scope: SettingsScope, @Body() dto: CreateEventSettingDto) {
    return presentOne('eventsSetting', await this.settings.create(scope, dto));
  }

  @Action('update')
  @RequireOperation('manageSettings')
  @ApiOperation({
    operationId: 'updateEventSetting',
    summary: 'Change event settings',
    description: 'Changes only the fields that are sent. Existing rooms keep their settings.',
  })
  @ApiAnswer(one('eventsSetting', eventSettingSchema), 'already_exists')
  async update(@CurrentSettingsScope() scope: SettingsScope, @Body() dto: UpdateEventSettingDto) {
    return presentOne('eventsSetting', await this.settings.update(scope, dto));
  }

  @ReadAction('get')
  @RequireOperation('readSettings')
  @ApiOperation({
    operationId: 'getEventSettings',
    summary: 'Read one record of event settings or list them',
    description: 'With `eventsSettingID`, answers that record. Without it, lists all records, newest first.',
  })
  @ApiAnswer(oneOrList(['eventsSetting', eventSettingSchema], ['eventsSettings', eventSettingSchema]))
  async get(
    @CurrentSettingsScope() scope: SettingsScope,
    @Query() { eventsSettingID, type }: GetEventSettingsDto,
    @PageQuery() page: Page,
  ) {
    if (eventsSettingID !== undefined) {
      return presentOne('eventsSetting', await this.settings.get(scope, eventsSettingID));
    }
    return presentList('eventsSettings', await this.settings.list(scope, type, page), page);
  }

  @Action('delete')
  @RequireOperation('manageSettings')
  @ApiOperation({
    operationId: 'deleteEventSetting',
    summary: 'Delete event settings',
    description: 'New rooms of that type use the defaults again. Repeating the deletion gives the same answer.',
  })
  @ApiAnswer(z.union([deleted('eventsSettingID'), deleted('type')]))
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
