import { Inject, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Clock } from '@rtms/clock';
import { defaultRecordingOptions, type RecordingOptions } from '@rtms/contracts';
import { Repository } from 'typeorm';
import type { SettingsScope } from '../../platform/auth/auth.decorators.js';
import { explainViolation } from '../../platform/database/database-errors.js';
import { missingRow, sentChanges } from '../../platform/rows/own-row.js';
import { pageOf } from '../../platform/http/page.decorator.js';
import type { Listed, Page } from '../../platform/rows/list-rows.js';
import { newID } from '../../platform/database/new-id.js';
import { CLOCK } from '../../platform/runtime/runtime.module.js';
import {
  presentRecordingSetting,
  recordingOptionFields,
  type CreateRecordingSettingDto,
  type PresentedRecordingSetting,
  type UpdateRecordingSettingDto,
} from './recording-setting.dto.js';
import { RecordingSetting } from './recording-setting.entity.js';

const explain = explainViolation({
  recording_settings_one_per_owner: ['already_exists', 'There are recording settings already. Update those instead.'],
});

@Injectable()
export class RecordingSettingsService {
  constructor(
    @InjectRepository(RecordingSetting) private readonly records: Repository<RecordingSetting>,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Throws CONFLICT when the owner has a record. */
  async create(scope: SettingsScope, dto: CreateRecordingSettingDto): Promise<PresentedRecordingSetting> {
    const now = new Date(this.clock.now());
    const options = { ...defaultRecordingOptions, ...sentChanges(recordingOptionFields, dto) };
    const record = { id: newID('rset'), ...scope, ...options, createdAt: now, updatedAt: now };
    await this.records.insert(record).catch(explain);
    return presentRecordingSetting(record);
  }

  async update(
    { ownerID }: SettingsScope,
    { recordingSettingID, ...dto }: UpdateRecordingSettingDto,
  ): Promise<PresentedRecordingSetting> {
    const where = { ownerID, ...(recordingSettingID && { id: recordingSettingID }) };
    await this.records.update(where, {
      ...sentChanges(recordingOptionFields, dto),
      updatedAt: new Date(this.clock.now()),
    });
    return this.find(where);
  }

  get({ ownerID }: SettingsScope, id: string): Promise<PresentedRecordingSetting> {
    return this.find({ ownerID, id });
  }

  /** Returns the options of the owner, or the defaults. */
  async inForce({ ownerID }: SettingsScope): Promise<RecordingOptions> {
    const record = await this.records.findOneBy({ ownerID });
    return { ...defaultRecordingOptions, ...(record && sentChanges(recordingOptionFields, record)) };
  }

  /** Lists at most one record. */
  async list({ ownerID }: SettingsScope, page: Page): Promise<Listed<PresentedRecordingSetting>> {
    const records = await this.records.findBy({ ownerID });
    return pageOf(records.map(presentRecordingSetting), page);
  }

  private async find(where: { ownerID: string; id?: string }): Promise<PresentedRecordingSetting> {
    const record = await this.records.findOneBy(where);
    if (!record) throw missingRow('record of recording settings');
    return presentRecordingSetting(record);
  }
}
