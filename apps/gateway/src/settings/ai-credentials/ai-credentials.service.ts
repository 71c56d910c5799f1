import { Inject, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Clock } from '@rtms/clock';
import { ServiceError } from '@rtms/contracts';
import { Repository } from 'typeorm';
import type { Violations } from '../../platform/database/database-errors.js';
import { newID } from '../../platform/database/new-id.js';
import { sentChanges } from '../../platform/rows/own-row.js';
import { DeletableRowsService } from '../../platform/rows/own-rows.service.js';
import { CLOCK } from '../../platform/runtime/runtime.module.js';
import { maskSecret } from '../../platform/secrets/mask-secret.js';
import { sealedColumns } from '../../platform/secrets/sealed-columns.js';
import { SecretVault } from '../../platform/secrets/secret-vault.js';
import { aiCredentialFields, type CreateAiCredentialDto, type UpdateAiCredentialDto } from './ai-credential.dto.js';
import { AiCredential } from './ai-credential.entity.js';

const inUse = ['in_use', 'A translation config uses this AI credential.'] as const;

/** A translation config refers to credentials of three kinds. The second constraint of each kind refuses a credential of another kind. */
const violations: Violations = {
  ai_credentials_nick_name: ['name_taken', 'Another AI credential has this nickName.'],
  translation_configs_stt: inUse,
  translation_configs_llm: inUse,
  translation_configs_tts: inUse,
  translation_configs_stt_kind: inUse,
  translation_configs_llm_kind: inUse,
  translation_configs_tts_kind: inUse,
};

@Injectable()
export class AiCredentialsService extends DeletableRowsService<AiCredential> {
  constructor(
    @InjectRepository(AiCredential) credentials: Repository<AiCredential>,
    private readonly vault: SecretVault,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    super(credentials, 'AI credential', violations);
  }

  /** Throws CONFLICT when the account has a credential with this nickname. */
  create(accountID: string, dto: CreateAiCredentialDto): Promise<AiCredential> {
    const { apiKey, model = null, baseUrl = null, options, ...given } = dto;
    const id = newID('cred');
    const now = new Date(this.clock.now());
    const kept = { ...given, model, baseUrl, options: options ?? {}, createdAt: now, updatedAt: now };
    return this.insert({ id, accountID, ...kept, ...this.seal(id, apiKey) });
  }

  /** A translation config that uses the credential follows a new nickname. Another kind is a CONFLICT then. */
  update(accountID: string, { aiCredentialID: id, options, ...sent }: UpdateAiCredentialDto): Promise<AiCredential> {
    const changes: Partial<AiCredential> = {
      ...sentChanges(aiCredentialFields, sent),
      ...(options !== undefined && { options: options ?? {} }),
      ...(sent.apiKey && this.seal(id, sent.apiKey)),
      updatedAt: new Date(this.clock.now()),
    };
    return this.change({ accountID, id }, credential => {
      requireKeyForHost(credential, changes);
      return changes;
    });
  }

  private seal(id: string, apiKey: string): Pick<AiCredential, 'encryptedApiKey' | 'maskedApiKey'> {
    const encryptedApiKey = this.vault.seal(sealedColumns.aiApiKey, id, apiKey);
    return { encryptedApiKey, maskedApiKey: maskSecret(apiKey) };
  }
}

/** A caller that may change the address must not learn the stored key by having it sent to a host of its own. */
function requireKeyForHost(credential: AiCredential, changes: Partial<AiCredential>): void {
  const isElsewhere = changes.baseUrl !== undefined && hostOf(changes.baseUrl) !== hostOf(credential.baseUrl);
  if (!isElsewhere || changes.encryptedApiKey !== undefined) return;
  const message =
    'Send the apiKey too when the baseUrl has another host. The service sends no stored key to a new host.';
  throw new ServiceError('invalid_request', message);
}

/** The host with its port; null: the usual host of the provider. */
function hostOf(baseUrl: string | null): string | null {
  return baseUrl === null ? null : new URL(baseUrl).host;
}
