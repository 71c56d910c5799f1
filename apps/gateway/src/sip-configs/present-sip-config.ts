import { presentTime } from '../http/present.js';
import { hiddenSecret } from '../secrets/mask-secret.js';
import type { SipConfig, SipPeer } from './sip-config.entity.js';

/** A peer as callers see it; the password itself is never part of it. */
export interface PresentedSipPeer extends SipPeer {
  /** null: there is none. */
  maskedPassword: string | null;
}

export interface PresentedSipConfig {
  sipConfigID: string;
  contactNumber: string;
  provider: string | null;
  supportSipActive: boolean;
  allowOutgoing: boolean;
  audioOnly: boolean;
  autoRecordSip: boolean;
  preferPCMA: boolean;
  allowedIPs: string[];
  peer: PresentedSipPeer | null;
  backupPeer: PresentedSipPeer | null;
  agentID: string | null;
  createdAt: string;
  updatedAt: string;
}

export function presentSipConfig(config: SipConfig): PresentedSipConfig {
  return {
    sipConfigID: config.id,
    contactNumber: config.contactNumber,
    provider: config.provider,
    supportSipActive: config.supportSipActive,
    allowOutgoing: config.allowOutgoing,
    audioOnly: config.audioOnly,
    autoRecordSip: config.autoRecordSip,
    preferPCMA: config.preferPCMA,
    allowedIPs: config.allowedIPs,
    peer: presentPeer(config.peer, config.encryptedPeerPassword),
    backupPeer: presentPeer(config.backupPeer, config.encryptedBackupPassword),
    agentID: config.agentID,
    createdAt: presentTime(config.createdAt),
    updatedAt: presentTime(config.updatedAt),
  };
}

function presentPeer(peer: SipPeer | null, password: Buffer | null): PresentedSipPeer | null {
  if (peer === null) return null;
  const { host, port, transport, register, username } = peer;
  return { host, port, transport, register, username, maskedPassword: password === null ? null : hiddenSecret };
}
