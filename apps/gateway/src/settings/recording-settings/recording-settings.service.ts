import { Inject, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Clock } from '@rtms/clock';
import { defaultRecordingOptions, ServiceError, type RecordingOptions } from '@rtms/contracts';
import { Repository } from 'typeorm';
import type { SettingsScope } from '../../platform/auth/auth.decorators.js';
import { isUniqueViolation } from '../../platform/database/database-errors.js';
import { sentChanges } from '../../platform/rows/own-row.js';
import { pageOf } from '../../platform/http/page.decorator.js';
import type { Listed, Page } from '../../platform/rows/list-rows.js';
import { newID } from '../../platform/database/new-id.js';
import { CLOCK } from '../../platform/runtime/runtime.module.js';
import type { CreateRecordingSettingDto, UpdateRecordingSettingDto } from './recording-setting.dto.js';
import { presentRecordingSetting, type PresentedRecordingSetting } from './present-recording-setting.js';
import { RecordingSetting } from './recording-setting.entity.js';

@Injectable()
export class RecordingSettingsService {
  constructor(
    @InjectRepository(RecordingSetting) private readonly records: Repository<RecordingSetting>,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** CONFLICT when the owner has a record. */
  async create(scope: SettingsScope, dto: CreateRecordingSettingDto): Promise<PresentedRecordingSetting> {
    const now = new Date(this.clock.now());
    const options = { ...defaultRecordingOptions, ...sentOptions(dto) };
    const record = { id: newID('rset'), ...scope, ...options, createdAt: now, updatedAt: now };
    await this.records.insert(record).catch((error: unknown) => {
      throw isUniqueViolation(error, 'recording_settings_one_per_owner') ? exists() : error;
    });
    return presentRecordingSetting(record);
  }

  /** Changes what was sent, in one statement. */
  async update(
    { ownerID }: SettingsScope,
    { recordingSettingID, ...dto }: UpdateRecordingSettingDto,
  ): Promise<PresentedRecordingSetting> {
    const where = { ownerID, ...(recordingSettingID && { id: recordingSettingID }) };
    await this.records.update(where, { ...sentOptions(dto), updatedAt: new Date(this.clock.now()) });
    return this.find(where);
  }

  get({ ownerID }: SettingsScope, id: string): Promise<PresentedRecordingSetting> {
    return this.find({ ownerID, id });
  }

  /** The owner's, or the defaults where there are none. */
  async inForce({ ownerID }: SettingsScope): Promise<RecordingOptions> {
    const record = await this.records.findOneBy({ ownerID });
    return { ...defaultRecordingOptions, ...(record && sentOptions(record)) };
  }

  /** One at most. */
  async list({ ownerID }: SettingsScope, page: Page): Promise<Listed<PresentedRecordingSetting>> {
    const records = await this.records.findBy({ ownerID });
    return pageOf(records.map(presentRecordingSetting), page);
  }

  private async find(where: { ownerID: string; id?: string }): Promise<PresentedRecordingSetting> {
    const record = await this.records.findOneBy(where);
    if (!record) throw new ServiceError('not_found', 'There is no such record of recording settings.');
    return presentRecordingSetting(record);
  }
}

const optionNames = Object.keys(defaultRecordingOptions) as (keyof RecordingOptions)[];

function sentOptions(dto: CreateRecordingSettingDto): Partial<RecordingOptions> {
  return sentChanges(dto as Partial<RecordingOptions>, optionNames, []);
}

function exists(): ServiceError {
  return new ServiceError('already_exists', 'There are recording settings already. Update those instead.');
}
