import { Inject, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Clock } from '@rtms/clock';
import { Repository } from 'typeorm';
import { newID } from '../../platform/database/new-id.js';
import { sentChanges } from '../../platform/rows/own-row.js';
import { DeletableRowsService } from '../../platform/rows/own-rows.service.js';
import { CLOCK } from '../../platform/runtime/runtime.module.js';
import { sealedColumns } from '../../platform/secrets/sealed-columns.js';
import { SecretVault } from '../../platform/secrets/secret-vault.js';
import {
  sipConfigFields,
  sipDefaults,
  sipPeerDefaults,
  type CreateSipConfigDto,
  type SipPeer,
  type SipPeerDto,
  type UpdateSipConfigDto,
} from './sip-config.dto.js';
import { SipConfig } from './sip-config.entity.js';

@Injectable()
export class SipConfigsService extends DeletableRowsService<SipConfig> {
  constructor(
    @InjectRepository(SipConfig) configs: Repository<SipConfig>,
    private readonly vault: SecretVault,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    super(configs, 'SIP configuration', {
      sip_configs_contact_number: ['name_taken', 'Another SIP configuration has this contactNumber.'],
      sip_configs_agent: ['invalid_request', 'agentID must be the identifier of one of your agents.'],
    });
  }

  /** Throws CONFLICT when the account has a configuration with this number. */
  create(accountID: string, dto: CreateSipConfigDto): Promise<SipConfig> {
    const { contactNumber } = dto;
    const createdAt = new Date(this.clock.now());
    const blank = { id: newID('sip'), accountID, contactNumber, ...sipDefaults, createdAt, updatedAt: createdAt };
    return this.insert({ ...blank, ...this.changesOf(blank, dto, createdAt) });
  }

  update(accountID: string, { sipConfigID: id, ...sent }: UpdateSipConfigDto): Promise<SipConfig> {
    return this.change({ accountID, id }, config => this.changesOf(config, sent, new Date(this.clock.now())));
  }

  private changesOf(
    config: SipConfig,
    sent: Omit<UpdateSipConfigDto, 'sipConfigID'>,
    updatedAt: Date,
  ): Partial<SipConfig> {
    const seal = (column: SealedPassword) => (password: string) => this.vault.seal(column, config.id, password);
    const { peer, backupPeer } = sent;
    const main = changePeer(config.peer, config.encryptedPeerPassword, peer, seal(sealedColumns.sipPeerPassword));
    const backup = changePeer(
      config.backupPeer,
      config.encryptedBackupPassword,
      backupPeer,
      seal(sealedColumns.sipBackupPassword),
    );
    return {
      ...sentChanges(sipConfigFields, sent),
      ...(main && { peer: main.peer, encryptedPeerPassword: main.password }),
      ...(backup && { backupPeer: backup.peer, encryptedBackupPassword: backup.password }),
      updatedAt,
    };
  }
}

type SealedPassword = (typeof sealedColumns)['sipPeerPassword' | 'sipBackupPassword'];

/**
 * A sent peer replaces the former peer. Nobody can read the password and send it back, so it stays while host and user stay the same. It is
 * never given to another host. undefined: the peer does not change.
 */
function changePeer(
  former: SipPeer | null,
  formerPassword: Buffer | null,
  sent: SipPeerDto | null | undefined,
  seal: (password: string) => Buffer,
): { peer: SipPeer | null; password: Buffer | null } | undefined {
  if (sent === undefined) return undefined;
  if (sent === null) return { peer: null, password: null };
  const peer = peerOf(sent);
  const isSame = former?.host === peer.host && former.username === peer.username;
  if (sent.password === undefined) return { peer, password: isSame ? formerPassword : null };
  return { peer, password: sent.password === null ? null : seal(sent.password) };
}

function peerOf({ host, port, transport, register, username }: SipPeerDto): SipPeer {
  return {
    host,
    port: port ?? sipPeerDefaults.port,
    transport: transport ?? sipPeerDefaults.transport,
    register: register ?? sipPeerDefaults.register,
    username: username ?? null,
  };
}
