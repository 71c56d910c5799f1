import { Inject, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Clock } from '@rtms/clock';
import { ServiceError } from '@rtms/contracts';
import { Repository } from 'typeorm';
import { isReferenceViolation, isUniqueViolation } from '../../platform/database/database-errors.js';
import { deleteOnce, changeOwn, findOwn } from '../../platform/rows/own-row.js';
import { listRows, type Listed, type Page } from '../../platform/rows/list-rows.js';
import { CLOCK } from '../../platform/runtime/runtime.module.js';
import { sealedColumns } from '../../platform/secrets/sealed-columns.js';
import { SecretVault } from '../../platform/secrets/secret-vault.js';
import type { CreateSipConfigDto, GetSipConfigsDto, UpdateSipConfigDto } from './sip-config.dto.js';
import { changeSipConfig, makeSipConfig, type SealPassword } from './make-sip-config.js';
import { SipConfig } from './sip-config.entity.js';

/** For messages. */
const what = 'SIP configuration';
const passwordColumns = { peer: sealedColumns.sipPeerPassword, backupPeer: sealedColumns.sipBackupPassword };

@Injectable()
export class SipConfigsService {
  constructor(
    @InjectRepository(SipConfig) private readonly configs: Repository<SipConfig>,
    private readonly vault: SecretVault,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** CONFLICT when the account has one of that number. */
  async create(accountID: string, dto: CreateSipConfigDto): Promise<SipConfig> {
    const config = makeSipConfig(accountID, dto, new Date(this.clock.now()), this.seal);
    await this.configs.insert(config).catch(explain);
    return config;
  }

  find(accountID: string, id: string): Promise<SipConfig> {
    return findOwn(this.configs, { accountID, id }, what);
  }

  /** Newest first. */
  list(
    accountID: string,
    { contactNumber }: Pick<GetSipConfigsDto, 'contactNumber'>,
    page: Page,
  ): Promise<Listed<SipConfig>> {
    return listRows(this.configs, { accountID, ...(contactNumber && { contactNumber }) }, page);
  }

  update(accountID: string, { sipConfigID: id, ...sent }: UpdateSipConfigDto): Promise<SipConfig> {
    const change = (config: SipConfig) => changeSipConfig(config, sent, new Date(this.clock.now()), this.seal);
    return changeOwn(this.configs, { accountID, id }, what, change).catch(explain);
  }

  delete(accountID: string, id: string): Promise<void> {
    return deleteOnce(this.configs, accountID, id, what);
  }

  private readonly seal: SealPassword = (peer, id, password) => this.vault.seal(passwordColumns[peer], id, password);
}

function explain(error: unknown): never {
  if (isUniqueViolation(error, 'sip_configs_contact_number')) {
    throw new ServiceError('name_taken', 'Another SIP configuration has this contactNumber.');
  }
  if (isReferenceViolation(error, 'sip_configs_agent')) {
    throw new ServiceError('invalid_request', 'agentID must be the identifier of one of your agents.');
  }
  throw error;
}
