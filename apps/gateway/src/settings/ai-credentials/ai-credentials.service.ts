import { Inject, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Clock } from '@rtms/clock';
import { ServiceError } from '@rtms/contracts';
import { Repository } from 'typeorm';
import { isReferenceViolation, isRuleViolation, isUniqueViolation } from '../../platform/database/database-errors.js';
import { deleteOnce, changeOwn, findOwn, sentChanges } from '../../platform/rows/own-row.js';
import { listRows, type Listed, type Page } from '../../platform/rows/list-rows.js';
import { newID } from '../../platform/database/new-id.js';
import { CLOCK } from '../../platform/runtime/runtime.module.js';
import { maskSecret } from '../../platform/secrets/mask-secret.js';
import { sealedColumns } from '../../platform/secrets/sealed-columns.js';
import { SecretVault } from '../../platform/secrets/secret-vault.js';
import { AiCredential } from './ai-credential.entity.js';
import type { CreateAiCredentialDto, GetAiCredentialsDto, UpdateAiCredentialDto } from './ai-credential.dto.js';

export type AiCredentialFilter = Omit<GetAiCredentialsDto, 'aiCredentialID'>;

/** For messages. */
const what = 'AI credential';
const kindsInUse = ['stt', 'llm', 'tts'];

@Injectable()
export class AiCredentialsService {
  constructor(
    @InjectRepository(AiCredential) private readonly credentials: Repository<AiCredential>,
    private readonly vault: SecretVault,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** CONFLICT when the account has one of that nickname. */
  async create(accountID: string, dto: CreateAiCredentialDto): Promise<AiCredential> {
    const { apiKey, model = null, baseUrl = null, options, ...given } = dto;
    const id = newID('cred');
    const now = new Date(this.clock.now());
    const kept = { ...given, model, baseUrl, options: options ?? {}, createdAt: now, updatedAt: now };
    const credential = { id, accountID, ...kept, ...this.seal(id, apiKey) };
    await this.credentials.insert(credential).catch(explain);
    return credential;
  }

  find(accountID: string, id: string): Promise<AiCredential> {
    return findOwn(this.credentials, { accountID, id }, what);
  }

  /** Newest first. */
  list(accountID: string, { kind, nickName }: AiCredentialFilter, page: Page): Promise<Listed<AiCredential>> {
    return listRows(this.credentials, { accountID, ...(kind && { kind }), ...(nickName && { nickName }) }, page);
  }

  /** A translation config that uses it follows a new nickname; another kind is a CONFLICT then. */
  update(accountID: string, { aiCredentialID: id, ...sent }: UpdateAiCredentialDto): Promise<AiCredential> {
    const changes: Partial<AiCredential> = {
      ...(sentChanges(
        sent,
        ['nickName', 'kind', 'provider', 'model', 'baseUrl'],
        ['model', 'baseUrl'],
      ) as Partial<AiCredential>),
      ...(sent.options !== undefined && { options: sent.options ?? {} }),
      ...(sent.apiKey && this.seal(id, sent.apiKey)),
      updatedAt: new Date(this.clock.now()),
    };
    return changeOwn(this.credentials, { accountID, id }, what, credential => {
      requireKeyForHost(credential, changes);
      return changes;
    }).catch(explain);
  }

  /** CONFLICT, `in_use`, while a translation config uses it. */
  delete(accountID: string, id: string): Promise<void> {
    return deleteOnce(this.credentials, accountID, id, what).catch(explain);
  }

  private seal(id: string, apiKey: string): Pick<AiCredential, 'encryptedApiKey' | 'maskedApiKey'> {
    const encryptedApiKey = this.vault.seal(sealedColumns.aiApiKey, id, apiKey);
    return { encryptedApiKey, maskedApiKey: maskSecret(apiKey) };
  }
}

/** Who may change the address shall not learn the key by having it sent to a host of his own. */
function requireKeyForHost(credential: AiCredential, changes: Partial<AiCredential>): void {
  const isElsewhere = changes.baseUrl !== undefined && hostOf(changes.baseUrl) !== hostOf(credential.baseUrl);
  if (!isElsewhere || changes.encryptedApiKey !== undefined) return;
  const message = 'Give the apiKey again with a baseUrl on another host: the stored key is not sent to a new one.';
  throw new ServiceError('invalid_request', message);
}

/** With its port; null: the provider's own. */
function hostOf(baseUrl: string | null): string | null {
  return baseUrl === null ? null : new URL(baseUrl).host;
}

function explain(error: unknown): never {
  if (isUniqueViolation(error, 'ai_credentials_nick_name')) {
    throw new ServiceError('name_taken', 'Another AI credential has this nickName.');
  }
  const isUsed = (kind: string) =>
    isReferenceViolation(error, `translation_configs_${kind}`) ||
    isRuleViolation(error, `translation_configs_${kind}_kind`);
  if (kindsInUse.some(isUsed)) throw new ServiceError('in_use', 'A translation config uses this AI credential.');
  throw error;
}
