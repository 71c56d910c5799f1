import { Inject, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Clock } from '@rtms/clock';
import {
  defaultEventOptions,
  defaultEventType,
  ServiceError,
  type EventOptions,
  type EventType,
} from '@rtms/contracts';
import { Repository, type EntityManager, type FindOptionsWhere } from 'typeorm';
import type { SettingsScope } from '../../platform/auth/auth.decorators.js';
import { explainViolation } from '../../platform/database/database-errors.js';
import { newID } from '../../platform/database/new-id.js';
import { SharedReads } from '../../platform/jobs/shared-reads.js';
import { deleteOnce, missingRow, sentChanges } from '../../platform/rows/own-row.js';
import { selectRows } from '../../platform/rows/plain-rows.js';
import { pageOf } from '../../platform/http/page.decorator.js';
import type { Listed, Page } from '../../platform/rows/list-rows.js';
import { CLOCK } from '../../platform/runtime/runtime.module.js';
import { TranslationConfig } from '../translation-configs/translation-config.entity.js';
import {
  eventOptionFields,
  presentEventSetting,
  type CreateEventSettingDto,
  type PresentedEventSetting,
  type UpdateEventSettingDto,
} from './event-setting.dto.js';
import { EventSetting } from './event-setting.entity.js';
import { optionsInForce } from './options-in-force.js';

const kind = 'record of event settings';
const explain = explainViolation({
  event_settings_one_per_type: [
    'already_exists',
    'There are event settings of this type already. Update those instead.',
  ],
});

@Injectable()
export class EventSettingsService {
  private readonly reads = new SharedReads<readonly EventSetting[]>();

  constructor(
    @InjectRepository(EventSetting) private readonly records: Repository<EventSetting>,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Throws CONFLICT when the owner has a record of this type. */
  async create(scope: SettingsScope, dto: CreateEventSettingDto): Promise<PresentedEventSetting> {
    const now = new Date(this.clock.now());
    const options = { ...defaultEventOptions(dto.type ?? defaultEventType), ...sentChanges(eventOptionFields, dto) };
    const record = { id: newID('eset'), ...scope, ...options, createdAt: now, updatedAt: now };
    return this.inTransaction(async manager => {
      await requireNotesConfig(manager, record);
      await manager.insert(EventSetting, record);
      return presentEventSetting(record);
    });
  }

  async update(scope: SettingsScope, dto: UpdateEventSettingDto): Promise<PresentedEventSetting> {
    return this.inTransaction(async manager => {
      const record = await this.lockNamed(manager, scope, dto);
      const changes = { ...sentChanges(eventOptionFields, dto), updatedAt: new Date(this.clock.now()) };
      await requireNotesConfig(manager, { ...record, ...changes });
      await manager.update(EventSetting, record.id, changes);
      return presentEventSetting({ ...record, ...changes });
    });
  }

  async get({ ownerID }: SettingsScope, eventsSettingID: string): Promise<PresentedEventSetting> {
    const record = await this.records.findOneBy({ id: eventsSettingID, ownerID });
    if (!record) throw missingRow(kind);
    return presentEventSetting(record);
  }

  /** Newest first. An owner has at most one record of each type. */
  async list(
    { ownerID }: SettingsScope,
    type: EventType | undefined,
    page: Page,
  ): Promise<Listed<PresentedEventSetting>> {
    const records = await selectRows(this.records, 'WHERE owner_id = $1 ORDER BY created_at DESC, id DESC', [ownerID]);
    const wanted = type ? records.filter(record => record.type === type) : records;
    return pageOf(wanted.map(presentEventSetting), page);
  }

  /** Deleting again changes nothing. */
  async delete({ accountID, ownerID }: SettingsScope, id: string): Promise<void> {
    await this.records.manager.transaction(async manager => {
      const record = await manager.findOneBy(EventSetting, { id });
      if (record && record.ownerID !== ownerID) throw missingRow(kind);
      await deleteOnce(manager, EventSetting, { id, accountID }, kind);
    });
  }

  /** Succeeds also when the owner has no record of this type. */
  async deleteType(scope: SettingsScope, type: EventType): Promise<void> {
    const record = await this.records.findOneBy({ ownerID: scope.ownerID, type });
    if (record) await this.delete(scope, record.id);
  }

  /** Returns the options of a new room of this type, or of the owner's usual type. */
  async inForce(scope: SettingsScope, type: EventType | undefined): Promise<EventOptions> {
    const owners = [scope.ownerID, scope.accountID];
    const stored = await this.reads.read(owners.join(' '), () =>
      selectRows(this.records, 'WHERE owner_id IN ($1, $2)', owners),
    );
    return optionsInForce(stored, scope, type);
  }

  /** Locks the record that an update names: by its identifier, else by its type, else the only record. */
  private async lockNamed(
    manager: EntityManager,
    { ownerID }: SettingsScope,
    { eventsSettingID, type }: UpdateEventSettingDto,
  ): Promise<EventSetting> {
    const name: FindOptionsWhere<EventSetting> = eventsSettingID ? { id: eventsSettingID } : type ? { type } : {};
    const lock = { mode: 'pessimistic_write' as const };
    const found = await manager.find(EventSetting, { where: { ownerID, ...name }, order: { id: 'ASC' }, lock });
    const [only, ...others] = found;
    if (only && others.length === 0) return only;
    if (Object.keys(name).length > 0) throw missingRow(kind);
    throw new ServiceError('invalid_request', 'Name the event settings to change by type or by eventsSettingID.');
  }

  private inTransaction<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    return this.records.manager.transaction(work).catch(explain);
  }
}

/** Locks the translation config of AI notes, so that it cannot be deleted before the transaction ends. */
async function requireNotesConfig(manager: EntityManager, record: EventSetting): Promise<void> {
  const { accountID, enableAiNotes, translationConfigNickName: nickName } = record;
  if (!enableAiNotes) return;
  if (nickName === null) {
    throw new ServiceError('invalid_request', 'translationConfigNickName is required when enableAiNotes is true.');
  }
  const lock = { mode: 'pessimistic_read' } as const;
  if (await manager.findOne(TranslationConfig, { where: { accountID, nickName }, lock })) return;
  throw new ServiceError('invalid_request', 'translationConfigNickName must name one of your translation configs.');
}
