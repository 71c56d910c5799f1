import { Inject, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Clock } from '@rtms/clock';
import { ServiceError, type EventOptions, type EventType } from '@rtms/contracts';
import { Repository, type EntityManager, type FindOptionsWhere } from 'typeorm';
import type { SettingsScope } from '../../platform/auth/auth.decorators.js';
import { isUniqueViolation } from '../../platform/database/database-errors.js';
import { deleteOnceIn } from '../../platform/rows/own-row.js';
import { selectRows } from '../../platform/rows/plain-rows.js';
import { pageOf } from '../../platform/http/page.decorator.js';
import type { Listed, Page } from '../../platform/rows/list-rows.js';
import { CLOCK } from '../../platform/runtime/runtime.module.js';
import { TranslationConfig } from '../translation-configs/translation-config.entity.js';
import type { CreateEventSettingDto, UpdateEventSettingDto } from './event-setting.dto.js';
import { EventSetting } from './event-setting.entity.js';
import { changeEventSetting, makeEventSetting } from './make-event-setting.js';
import { optionsInForce } from './options-in-force.js';
import { presentEventSetting, type PresentedEventSetting } from './present-event-setting.js';

/** For messages. */
const what = 'record of event settings';

@Injectable()
export class EventSettingsService {
  constructor(
    @InjectRepository(EventSetting) private readonly records: Repository<EventSetting>,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** CONFLICT when there is a record of the type. */
  async create(scope: SettingsScope, dto: CreateEventSettingDto): Promise<PresentedEventSetting> {
    const record = makeEventSetting(scope, dto, new Date(this.clock.now()));
    return this.inTransaction(async manager => {
      await requireNotesConfig(manager, record);
      await manager.insert(EventSetting, record);
      return presentEventSetting(record);
    });
  }

  async update(scope: SettingsScope, dto: UpdateEventSettingDto): Promise<PresentedEventSetting> {
    return this.inTransaction(async manager => {
      const record = await this.lockNamed(manager, scope, dto);
      const changes = changeEventSetting(record, dto, new Date(this.clock.now()));
      await requireNotesConfig(manager, { ...record, ...changes });
      await manager.update(EventSetting, record.id, changes);
      return presentEventSetting({ ...record, ...changes });
    });
  }

  async get({ ownerID }: SettingsScope, eventsSettingID: string): Promise<PresentedEventSetting> {
    const record = await this.records.findOneBy({ id: eventsSettingID, ownerID });
    if (!record) throw notFound();
    return presentEventSetting(record);
  }

  /** Newest first; there are no more than types. */
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
      if (record && record.ownerID !== ownerID) throw notFound();
      await deleteOnceIn(manager, EventSetting, { id, accountID }, what);
    });
  }

  /** The owner has no record of that type afterwards. */
  async deleteType(scope: SettingsScope, type: EventType): Promise<void> {
    const record = await this.records.findOneBy({ ownerID: scope.ownerID, type });
    if (record) await this.delete(scope, record.id);
  }

  /** What applies to a new room of that type, or of the owner's usual type. */
  async inForce(scope: SettingsScope, type: EventType | undefined): Promise<EventOptions> {
    const stored = await selectRows(this.records, 'WHERE owner_id IN ($1, $2)', [scope.ownerID, scope.accountID]);
    return optionsInForce(stored, scope, type);
  }

  /** The record that an update names: by its identifier, else by its type, else the only one. */
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
    throw Object.keys(name).length > 0 ? notFound() : unnamed();
  }

  private inTransaction<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    return this.records.manager.transaction(work).catch((error: unknown) => {
      throw isUniqueViolation(error, 'event_settings_one_per_type') ? typeTaken() : error;
    });
  }
}

/** Locks the translation config, so that it cannot be deleted before the transaction ends. */
async function requireNotesConfig(manager: EntityManager, record: EventSetting): Promise<void> {
  const { accountID, enableAiNotes, translationConfigNickName: nickName } = record;
  if (!enableAiNotes || nickName === null) return;
  const lock = { mode: 'pessimistic_read' } as const;
  if (await manager.findOne(TranslationConfig, { where: { accountID, nickName }, lock })) return;
  throw new ServiceError('invalid_request', 'translationConfigNickName must name one of your translation configs.');
}

function notFound(): ServiceError {
  return new ServiceError('not_found', `There is no such ${what}.`);
}

function unnamed(): ServiceError {
  return new ServiceError('invalid_request', 'Name the event settings to change by type or by eventsSettingID.');
}

function typeTaken(): ServiceError {
  return new ServiceError('already_exists', 'There are event settings of this type already. Update those instead.');
}
