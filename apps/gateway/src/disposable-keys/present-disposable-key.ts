import { operations, participantRoles } from '@rtms/contracts';
import { z } from 'zod';
import { count, identifier, time } from '../http/answers.js';
import { keyTypes } from '../auth/caller.js';
import { presentTime } from '../http/present.js';
import type { DisposableKey } from './disposable-key.entity.js';
import type { OperationUsage } from './key-usage.service.js';

const disposableKeyStates = ['active', 'expired', 'revoked'] as const;
type DisposableKeyState = (typeof disposableKeyStates)[number];

export const disposableKeySchema = z
  .object({
    keyID: identifier('key'),
    name: z.string(),
    type: z.enum(keyTypes),
    validityDays: count.nullable(),
    operations: z.array(z.enum(operations)),
    domains: z.array(z.string()).nullable(),
    meetingIDs: z.array(z.string()).nullable(),
    maxRole: z.enum(participantRoles).nullable(),
    maskedKey: z.string(),
    state: z.enum(disposableKeyStates),
    createdAt: time,
    expiresAt: time.nullable(),
    lastUsedAt: time.nullable(),
  })
  .meta({ id: 'DisposableKey' });
export type PresentedDisposableKey = z.infer<typeof disposableKeySchema>;

/** What the key was used for: one entry for each operation. */
const usageSchema = z.object({ operation: z.enum(operations), requestCount: count, lastUsedAt: time });

export const detailedKeySchema = disposableKeySchema
  .extend({ usage: z.array(usageSchema) })
  .meta({ id: 'DetailedDisposableKey' });
export type DetailedDisposableKey = z.infer<typeof detailedKeySchema>;

/** Both halves of the credential; the key stands in this answer and nowhere else. */
export const issuedKeySchema = detailedKeySchema
  .extend({ apiUserName: z.string(), apiKey: z.string().length(64) })
  .meta({ id: 'IssuedDisposableKey' });

export function presentDisposableKey(key: DisposableKey, now: number): PresentedDisposableKey {
  return {
    keyID: key.id,
    name: key.name,
    type: key.type,
    validityDays: key.validityDays,
    operations: key.operations,
    domains: key.domains,
    meetingIDs: key.meetingIDs,
    maxRole: key.maxRole,
    maskedKey: key.maskedKey,
    state: stateOf(key, now),
    createdAt: presentTime(key.createdAt),
    expiresAt: presentTime(key.expiresAt),
    lastUsedAt: presentTime(key.lastUsedAt),
  };
}

export function presentDetailed(
  key: DisposableKey,
  usage: readonly OperationUsage[],
  now: number,
): DetailedDisposableKey {
  const present = (each: OperationUsage) => ({ ...each, lastUsedAt: presentTime(each.lastUsedAt) });
  return { ...presentDisposableKey(key, now), usage: usage.map(present) };
}

function stateOf({ revokedAt, expiresAt }: DisposableKey, now: number): DisposableKeyState {
  if (revokedAt) return 'revoked';
  return expiresAt && expiresAt.getTime() <= now ? 'expired' : 'active';
}
