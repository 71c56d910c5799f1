import { sentChanges } from '../../platform/rows/own-row.js';
import { newID } from '../../platform/database/new-id.js';
import {
  type CreateSipConfigDto,
  sipDefaults,
  sipPeerDefaults,
  type SipPeerDto,
  type UpdateSipConfigDto,
} from './sip-config.dto.js';
import type { SipConfig, SipPeer } from './sip-config.entity.js';

/** Encrypts a password for one of the two peers of a row. */
export type SealPassword = (peer: 'peer' | 'backupPeer', id: string, password: string) => Buffer;

const nullable = ['provider', 'agentID'] as const;
const fields = [
  ...nullable,
  'contactNumber',
  'supportSipActive',
  'allowOutgoing',
  'audioOnly',
  'autoRecordSip',
  'preferPCMA',
  'allowedIPs',
] as const;

/** Whatever was left out gets its default. */
export function makeSipConfig(accountID: string, dto: CreateSipConfigDto, now: Date, seal: SealPassword): SipConfig {
  const { contactNumber } = dto;
  const blank = { id: newID('sip'), accountID, contactNumber, ...sipDefaults, createdAt: now, updatedAt: now };
  return { ...blank, ...changeSipConfig(blank, dto, now, seal) };
}

export function changeSipConfig(
  config: SipConfig,
  sent: Omit<UpdateSipConfigDto, 'sipConfigID'>,
  now: Date,
  seal: SealPassword,
): Partial<SipConfig> {
  const sealFor = (which: 'peer' | 'backupPeer') => (password: string) => seal(which, config.id, password);
  const main = changePeer(config.peer, config.encryptedPeerPassword, sent.peer, sealFor('peer'));
  const backup = changePeer(config.backupPeer, config.encryptedBackupPassword, sent.backupPeer, sealFor('backupPeer'));
  return {
    ...(sentChanges(sent, fields, nullable) as Partial<SipConfig>),
    ...(main && { peer: main.peer, encryptedPeerPassword: main.password }),
    ...(backup && { backupPeer: backup.peer, encryptedBackupPassword: backup.password }),
    updatedAt: now,
  };
}

interface StoredPeer {
  peer: SipPeer | null;
  password: Buffer | null;
}

/**
 * A peer that is sent takes the place of the former one. Nobody can read the password and send it back, so it stays
 * while host and user do; it is never handed to another host.
 */
function changePeer(
  former: SipPeer | null,
  formerPassword: Buffer | null,
  sent: SipPeerDto | null | undefined,
  seal: (password: string) => Buffer,
): StoredPeer | undefined {
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
