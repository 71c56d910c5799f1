import { z } from 'zod';
import { identifier, time } from '../http/answers.js';
import { presentTime } from '../http/present.js';
import { hiddenSecret } from '../secrets/mask-secret.js';
import { sipTransports, type SipConfig, type SipPeer } from './sip-config.entity.js';

/** A peer as callers see it; the password itself is never part of it. */
export const sipPeerSchema = z
  .object({
    host: z.string(),
    port: z.int().min(1).max(65_535),
    transport: z.enum(sipTransports),
    register: z.boolean(),
    username: z.string().nullable(),
    /** null: there is none. */
    maskedPassword: z.string().nullable(),
  })
  .meta({ id: 'SipPeer' });
export type PresentedSipPeer = z.infer<typeof sipPeerSchema>;

export const sipConfigSchema = z
  .object({
    sipConfigID: identifier('sip'),
    contactNumber: z.string(),
    provider: z.string().nullable(),
    supportSipActive: z.boolean(),
    allowOutgoing: z.boolean(),
    audioOnly: z.boolean(),
    autoRecordSip: z.boolean(),
    preferPCMA: z.boolean(),
    allowedIPs: z.array(z.string()),
    peer: sipPeerSchema.nullable(),
    backupPeer: sipPeerSchema.nullable(),
    agentID: z.string().nullable(),
    createdAt: time,
    updatedAt: time,
  })
  .meta({ id: 'SipConfig' });
export type PresentedSipConfig = z.infer<typeof sipConfigSchema>;

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
