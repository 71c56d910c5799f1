import { Column, Entity } from 'typeorm';
import { ChangingRow } from '../../platform/rows/own-row.js';
import type { SipPeer } from './sip-config.dto.js';

export const sipTransports = ['UDP', 'TCP', 'TLS'] as const;

/** An account's own telephone number. */
@Entity('sip_configs')
export class SipConfig extends ChangingRow {
  /** An E.164 number. */
  @Column('text')
  contactNumber!: string;

  @Column('text', { nullable: true })
  provider!: string | null;

  @Column('boolean')
  supportSipActive!: boolean;

  @Column('boolean')
  allowOutgoing!: boolean;

  @Column('boolean')
  audioOnly!: boolean;

  @Column('boolean')
  autoRecordSip!: boolean;

  @Column('boolean', { name: 'prefer_pcma' })
  preferPCMA!: boolean;

  /** CIDR notation; empty: any network. */
  @Column('jsonb', { name: 'allowed_ips' })
  allowedIPs!: string[];

  @Column('jsonb', { nullable: true })
  peer!: SipPeer | null;

  @Column('bytea', { nullable: true })
  encryptedPeerPassword!: Buffer | null;

  @Column('jsonb', { nullable: true })
  backupPeer!: SipPeer | null;

  @Column('bytea', { nullable: true })
  encryptedBackupPassword!: Buffer | null;

  /** The agent that answers calls. */
  @Column('text', { nullable: true })
  agentID!: string | null;
}
