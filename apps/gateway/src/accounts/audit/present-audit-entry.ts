import { z } from 'zod';
import { identifier, time } from '../../platform/http/answers.js';
import { presentTime } from '../../platform/http/present.js';
import { actorKinds, auditOutcomes, type AuditEntry } from './audit-entry.entity.js';

export const auditEntrySchema = z
  .object({
    entryID: identifier('audit'),
    at: time.describe('When the action happened.'),
    actor: z
      .object({
        kind: z.enum(actorKinds).describe('Kind of actor.'),
        id: z.string().nullable().describe('Identifier of the actor; null where the reader may not see it.'),
        name: z.string().nullable().describe('Name of the actor; null where the reader may not see it.'),
      })
      .describe('The actor of the action.'),
    action: z.string().describe('Name of the action.'),
    accountID: z.string().nullable().describe('The account that the action is about; null: the platform.'),
    details: z
      .record(z.string(), z.union([z.string(), z.number(), z.boolean()]))
      .describe('Identifiers and values of the action.'),
    address: z.string().nullable().describe('IP address of the actor; null where the reader may not see it.'),
    requestID: z.string().describe('Request of the action, as in the logs.'),
    outcome: z.enum(auditOutcomes).describe('Result of the action.'),
    reason: z.string().nullable().describe('Reason of a failure.'),
  })
  .meta({ id: 'AuditEntry', description: 'An administrative action.' });
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
