import { Inject, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Clock } from '@rtms/clock';
import { ServiceError } from '@rtms/contracts';
import { Repository, type EntityManager } from 'typeorm';
import { isReferenceViolation, isUniqueViolation } from '../../platform/database/database-errors.js';
import { deleteOnceIn, changeOwn, findOwn } from '../../platform/rows/own-row.js';
import { listRows, type Listed, type Page } from '../../platform/rows/list-rows.js';
import { CLOCK } from '../../platform/runtime/runtime.module.js';
import type {
  CreateTranslationConfigDto,
  GetTranslationConfigsDto,
  UpdateTranslationConfigDto,
} from './translation-config.dto.js';
import { changeTranslationConfig, makeTranslationConfig } from './make-translation-config.js';
import { TranslationConfig } from './translation-config.entity.js';

/** For messages. */
const what = 'translation config';
const referredKinds = ['stt', 'llm', 'tts'];

@Injectable()
export class TranslationConfigsService {
  constructor(
    @InjectRepository(TranslationConfig) private readonly configs: Repository<TranslationConfig>,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** CONFLICT when the account has one of that nickname. */
  async create(accountID: string, dto: CreateTranslationConfigDto): Promise<TranslationConfig> {
    const config = makeTranslationConfig(accountID, dto, new Date(this.clock.now()));
    await this.configs.insert(config).catch(explain);
    return config;
  }

  find(accountID: string, id: string): Promise<TranslationConfig> {
    return findOwn(this.configs, { accountID, id }, what);
  }

  /** Newest first. */
  list(
    accountID: string,
    { nickName }: Pick<GetTranslationConfigsDto, 'nickName'>,
    page: Page,
  ): Promise<Listed<TranslationConfig>> {
    return listRows(this.configs, { accountID, ...(nickName && { nickName }) }, page);
  }

  /** CONFLICT, `in_use`, for a new nickname while event settings take AI notes with the config. */
  update(accountID: string, dto: UpdateTranslationConfigDto): Promise<TranslationConfig> {
    const { translationConfigID: id, ...sent } = dto;
    const change = async (config: TranslationConfig, manager: EntityManager) => {
      const changes = changeTranslationConfig(config, sent, new Date(this.clock.now()));
      const isRenamed = changes.nickName !== undefined && changes.nickName !== config.nickName;
      if (isRenamed && (await isInUse(manager, config))) throw inUse();
      return changes;
    };
    return changeOwn(this.configs, { accountID, id }, what, change).catch(explain);
  }

  /** CONFLICT, `in_use`, while event settings take AI notes with it. */
  async delete(accountID: string, id: string): Promise<void> {
    await this.configs.manager.transaction(async manager => {
      const where = { id, accountID };
      // Event settings that begin to use it wait for this lock, or this for theirs.
      const config = await manager.findOne(TranslationConfig, { where, lock: { mode: 'pessimistic_write' } });
      if (config && (await isInUse(manager, config))) throw inUse();
      await deleteOnceIn(manager, TranslationConfig, where, what);
    });
  }
}

function isInUse(manager: EntityManager, { accountID, nickName }: TranslationConfig): Promise<boolean> {
  // By its name, because event-settings imports this folder.
  return manager.existsBy('EventSetting', { accountID, translationConfigNickName: nickName, enableAiNotes: true });
}

function inUse(): ServiceError {
  return new ServiceError('in_use', 'Event settings with AI notes use this translation config.');
}

function explain(error: unknown): never {
  if (isUniqueViolation(error, 'translation_configs_nick_name')) {
    throw new ServiceError('name_taken', 'Another translation config has this nickName.');
  }
  for (const kind of referredKinds) {
    if (!isReferenceViolation(error, `translation_configs_${kind}`)) continue;
    throw new ServiceError('invalid_request', `${kind}NickName must name one of your AI credentials of kind ${kind}.`);
  }
  throw error;
}
