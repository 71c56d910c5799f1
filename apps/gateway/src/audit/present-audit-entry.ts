import { z } from 'zod';
import { identifier, time } from '../http/answers.js';
import { presentTime } from '../http/present.js';
import { actorKinds, auditOutcomes, type AuditEntry } from './audit-entry.entity.js';

export const auditEntrySchema = z
  .object({
    entryID: identifier('audit'),
    at: time,
    actor: z.object({ kind: z.enum(actorKinds), id: z.string().nullable(), name: z.string().nullable() }),
    action: z.string(),
    accountID: z.string().nullable(),
    details: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
    address: z.string().nullable(),
    requestID: z.string(),
    outcome: z.enum(auditOutcomes),
    reason: z.string().nullable(),
  })
  .meta({ id: 'AuditEntry' });
export type PresentedAuditEntry = z.infer<typeof auditEntrySchema>;

export function presentAuditEntry(entry: AuditEntry): PresentedAuditEntry {
  return {
    entryID: entry.id,
    at: presentTime(entry.at),
    actor: { kind: entry.actorKind, id: entry.actorID, name: entry.actorName },
    action: entry.action,
    accountID: entry.accountID,
    details: entry.details,
    address: entry.address,
    requestID: entry.requestID,
    outcome: entry.outcome,
    reason: entry.reason,
  };
}

/** An account sees that an administrator acted, and not which one from where. */
export function presentToAccount(entry: AuditEntry): PresentedAuditEntry {
  const presented = presentAuditEntry(entry);
  if (entry.actorKind !== 'administrator') return presented;
  return { ...presented, actor: { kind: 'administrator', id: null, name: null }, address: null };
}
