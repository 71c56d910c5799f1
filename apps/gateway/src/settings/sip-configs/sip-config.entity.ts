import { Column, Entity } from 'typeorm';
import { ChangingRow } from '../../platform/rows/own-row.js';

export const sipTransports = ['UDP', 'TCP', 'TLS'] as const;
export type SipTransport = (typeof sipTransports)[number];

/** A SIP peer that sends and receives the calls of a number. Its encrypted password has a column of its own. */
export interface SipPeer {
  host: string;
  port: number;
  transport: SipTransport;
  /** Whether the service registers at the peer to receive calls. */
  register: boolean;
  username: string | null;
}

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
