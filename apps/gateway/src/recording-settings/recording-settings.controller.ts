import { Body, Controller, Query } from '@nestjs/common';
import { RequireOperation } from '../auth/auth.decorators.js';
import { CurrentSettingsScope, type SettingsScope } from '../auth/settings-scope.js';
import { Action, ReadAction } from '../http/action.decorator.js';
import { Answers, one, oneOrList } from '../http/answers.js';
import { PageQuery, type Page } from '../http/page.decorator.js';
import { presentList, presentOne } from '../http/present.js';
import { CreateRecordingSettingDto } from './dto/create-recording-setting.dto.js';
import { GetRecordingSettingsDto } from './dto/get-recording-settings.dto.js';
import { UpdateRecordingSettingDto } from './dto/update-recording-setting.dto.js';
import { recordingSettingSchema } from './present-recording-setting.js';
import { RecordingSettingsService } from './recording-settings.service.js';

@Controller('v1/recordingsettings')
export class RecordingSettingsController {
  constructor(private readonly settings: RecordingSettingsService) {}

  @Action('create')
  @RequireOperation('manageSettings')
  @Answers(one('recordingSetting', recordingSettingSchema), 'already_exists')
  async create(@CurrentSettingsScope() scope: SettingsScope, @Body() dto: CreateRecordingSettingDto) {
    return presentOne('recordingSetting', await this.settings.create(scope, dto));
  }

  @Action('update')
  @RequireOperation('manageSettings')
  @Answers(one('recordingSetting', recordingSettingSchema))
  async update(@CurrentSettingsScope() scope: SettingsScope, @Body() dto: UpdateRecordingSettingDto) {
    return presentOne('recordingSetting', await this.settings.update(scope, dto));
  }

  @ReadAction('get')
  @RequireOperation('readSettings')
  @Answers(oneOrList(['recordingSetting', recordingSettingSchema], ['recordingSettings', recordingSettingSchema]))
  async get(
    @CurrentSettingsScope() scope: SettingsScope,
    @Query() { recordingSettingID }: GetRecordingSettingsDto,
    @PageQuery() page: Page,
  ) {
    if (recordingSettingID !== undefined) {
      return presentOne('recordingSetting', await this.settings.get(scope, recordingSettingID));
    }
    const { items, total } = await this.settings.list(scope, page);
    return presentList('recordingSettings', items, total, page);
  }
}
