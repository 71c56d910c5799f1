import { Inject, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Clock } from '@rtms/clock';
import { ServiceError } from '@rtms/contracts';
import { Repository, type EntityManager } from 'typeorm';
import type { Violations } from '../../platform/database/database-errors.js';
import { newID } from '../../platform/database/new-id.js';
import { canonicalLanguages } from '../../platform/http/fields.js';
import { deleteOnce, sentChanges } from '../../platform/rows/own-row.js';
import { DeletableRowsService } from '../../platform/rows/own-rows.service.js';
import { CLOCK } from '../../platform/runtime/runtime.module.js';
import {
  translationConfigFields,
  type CreateTranslationConfigDto,
  type UpdateTranslationConfigDto,
} from './translation-config.dto.js';
import { TranslationConfig } from './translation-config.entity.js';

const violations: Violations = {
  translation_configs_nick_name: ['name_taken', 'Another translation config has this nickName.'],
  translation_configs_stt: noCredential('stt'),
  translation_configs_llm: noCredential('llm'),
  translation_configs_tts: noCredential('tts'),
};

@Injectable()
export class TranslationConfigsService extends DeletableRowsService<TranslationConfig> {
  constructor(
    @InjectRepository(TranslationConfig) configs: Repository<TranslationConfig>,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    super(configs, 'translation config', violations);
  }

  /** Throws CONFLICT when the account has a config with this nickname. */
  async create(accountID: string, dto: CreateTranslationConfigDto): Promise<TranslationConfig> {
    const now = new Date(this.clock.now());
    const config: TranslationConfig = {
      id: newID('tcfg'),
      accountID,
      nickName: dto.nickName,
      sttNickName: dto.sttNickName,
      llmNickName: dto.llmNickName,
      ttsNickName: dto.ttsNickName ?? null,
      spokenLanguages: canonicalLanguages(dto.spokenLanguages ?? []),
      listenLanguages: canonicalLanguages(dto.listenLanguages ?? []),
      outputMode: dto.outputMode ?? (dto.ttsNickName ? 'audio' : 'text'),
      autoDetectSpokenLanguage: dto.autoDetectSpokenLanguage ?? !dto.spokenLanguages?.length,
      createdAt: now,
      updatedAt: now,
    };
    requireConsistent(config);
    return this.insert(config);
  }

  /** Throws CONFLICT, `in_use`, for a new nickname while event settings with AI notes use the config. */
  update(
    accountID: string,
    { translationConfigID: id, ...sent }: UpdateTranslationConfigDto,
  ): Promise<TranslationConfig> {
    return this.change({ accountID, id }, async (config, manager) => {
      const changes = changesOf(sent, new Date(this.clock.now()));
      requireConsistent({ ...config, ...changes });
      const isRenamed = changes.nickName !== undefined && changes.nickName !== config.nickName;
      if (isRenamed) await requireUnused(manager, config);
      return changes;
    });
  }

  /** Throws CONFLICT, `in_use`, while event settings with AI notes use the config. */
  override async delete(accountID: string, id: string): Promise<void> {
    await this.rows.manager.transaction(async manager => {
      const where = { id, accountID };
      // Event settings that start to use the config wait for this lock, or this statement waits for theirs.
      const config = await manager.findOne(TranslationConfig, { where, lock: { mode: 'pessimistic_write' } });
      if (config) await requireUnused(manager, config);
      await deleteOnce(manager, TranslationConfig, where, this.kind);
    });
  }
}

function changesOf(
  sent: Omit<UpdateTranslationConfigDto, 'translationConfigID'>,
  updatedAt: Date,
): Partial<TranslationConfig> {
  const { spokenLanguages, listenLanguages } = sent;
  return {
    ...sentChanges(translationConfigFields, sent),
    ...(spokenLanguages && { spokenLanguages: canonicalLanguages(spokenLanguages) }),
    ...(listenLanguages && { listenLanguages: canonicalLanguages(listenLanguages) }),
    updatedAt,
  };
}

/** Checks the rules that involve several fields. */
function requireConsistent(config: TranslationConfig): void {
  if (config.outputMode === 'audio' && config.ttsNickName === null) {
    throw new ServiceError('invalid_request', 'ttsNickName is needed when outputMode is audio.');
  }
  if (!config.autoDetectSpokenLanguage && config.spokenLanguages.length === 0) {
    throw new ServiceError(
      'invalid_request',
      'spokenLanguages must name a language when autoDetectSpokenLanguage is false.',
    );
  }
}

async function requireUnused(manager: EntityManager, { accountID, nickName }: TranslationConfig): Promise<void> {
  const using = { accountID, translationConfigNickName: nickName, enableAiNotes: true };
  // The entity by its name, because event-settings imports this folder.
  if (!(await manager.existsBy('EventSetting', using))) return;
  throw new ServiceError('in_use', 'Event settings with AI notes use this translation config.');
}

function noCredential(service: 'stt' | 'llm' | 'tts') {
  const message = `${service}NickName must name one of your AI credentials of kind ${service}.`;
  return ['invalid_request', message] as const;
}
