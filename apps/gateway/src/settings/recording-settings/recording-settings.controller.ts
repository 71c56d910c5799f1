import { Body, Controller, Query } from '@nestjs/common';
import { CurrentSettingsScope, RequireOperation, type SettingsScope } from '../../platform/auth/auth.decorators.js';
import { Action, ReadAction } from '../../platform/http/action.decorator.js';
import { ApiAnswer, ApiOperation, ApiTag } from '../../platform/http/api.decorators.js';
import { one, oneOrList } from '../../platform/http/answers.js';
import { PageQuery, type Page } from '../../platform/http/page.decorator.js';
import { presentList, presentOne } from '../../platform/http/present.js';
import {
  CreateRecordingSettingDto,
  GetRecordingSettingsDto,
  recordingSettingSchema,
  UpdateRecordingSettingDto,
} from './recording-setting.dto.js';
import { RecordingSettingsService } from './recording-settings.service.js';

@ApiTag({
  name: 'Recording settings',
  description:
    'Recording defaults. mediaOptions, maxDurationSeconds, pausesLimit and retentionDays are for every recording. The other fields are for recordings of whole rooms.',
  post: 'postRecordingSettings',
})
@Controller('v1/recordingsettings')
export class RecordingSettingsController {
  constructor(private readonly settings: RecordingSettingsService) {}

  @Action('create')
  @RequireOperation('manageSettings')
  @ApiOperation({
    operationId: 'createRecordingSetting',
    summary: 'Create the recording settings',
    description: 'An account has one record at most.',
  })
  @ApiAnswer(one('recordingSetting', recordingSettingSchema), 'already_exists')
  async create(@CurrentSettingsScope() scope: SettingsScope, @Body() dto: CreateRecordingSettingDto) {
    return presentOne('recordingSetting', await this.settings.create(scope, dto));
  }

  @Action('update')
  @RequireOperation('manageSettings')
  @ApiOperation({
    operationId: 'updateRecordingSetting',
    summary: 'Change the recording settings',
    description: 'Changes only the fields that are sent.',
  })
  @ApiAnswer(one('recordingSetting', recordingSettingSchema))
  async update(@CurrentSettingsScope() scope: SettingsScope, @Body() dto: UpdateRecordingSettingDto) {
    return presentOne('recordingSetting', await this.settings.update(scope, dto));
  }

  @ReadAction('get')
  @RequireOperation('readSettings')
  @ApiOperation({
    operationId: 'getRecordingSettings',
    summary: 'Read or list the recording settings',
    description: 'With `recordingSettingID`, answers that record. Without it, answers a list of at most one record.',
  })
  @ApiAnswer(oneOrList(['recordingSetting', recordingSettingSchema], ['recordingSettings', recordingSettingSchema]))
  async get(
    @CurrentSettingsScope() scope: SettingsScope,
    @Query() { recordingSettingID }: GetRecordingSettingsDto,
    @PageQuery() page: Page,
  ) {
    if (recordingSettingID !== undefined) {
      return presentOne('recordingSetting', await this.settings.get(scope, recordingSettingID));
    }
    return presentList('recordingSettings', await this.settings.list(scope, page), page);
  }
}
