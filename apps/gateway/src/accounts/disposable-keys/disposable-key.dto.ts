import { keyValidityDays, participantRoles } from '@rtms/contracts';
import { z } from 'zod';
import { count, identifier, time } from '../../platform/http/answers.js';
import { Dto, optional, optionalQuery } from '../../platform/http/dto.js';
import { idOf, listOf, oneOf, operation, operationList, queryText, text, whole } from '../../platform/http/fields.js';
import { presentFields, presentTime } from '../../platform/http/present.js';
import { domainName } from '../domains/domain.dto.js';
import { credentialFields, keyType } from '../keys/key.dto.js';
import type { DisposableKey } from './disposable-key.entity.js';
import type { OperationUsage } from './key-usage.service.js';

const disposableKeyStates = ['active', 'expired', 'revoked'] as const;
type DisposableKeyState = (typeof disposableKeyStates)[number];

const maxDomains = 100;
const domainsError = `must be a list of 1 to ${maxDomains} different host names.`;
const maxRooms = 100;
const roomsError = `must be a list of 1 to ${maxRooms} different identifiers of rooms.`;
const roomID = z.string({ error: roomsError }).min(1, { error: roomsError }).max(64, { error: roomsError });

export const disposableKeyFields = {
  name: text(1, 64).meta({ description: 'Name of the key, unique in the account.', examples: ['Website widget'] }),
  validityDays: whole(keyValidityDays.min, keyValidityDays.max, 'days')
    .nullable()
    .describe('Days from the creation of the key to its end; null: the key never expires.'),
  operations: operationList(1).meta({ description: 'Operations of the key.', examples: [['createRoom', 'joinRoom']] }),
  domains: listOf(domainName, 1, maxDomains, domainsError)
    .nullable()
    .describe('The only hosts from which browsers may use the key; null: all hosts that its type allows.'),
  meetingIDs: listOf(roomID, 1, maxRooms, roomsError)
    .nullable()
    .describe('The only rooms that the key reaches; null: all rooms of its environment.'),
  maxRole: oneOf(participantRoles)
    .nullable()
    .describe(
      'Highest role that the key can give. Below participant, the key opens no external session. null: any role.',
    ),
};

const { name, operations: keyOperations, ...limits } = disposableKeyFields;
const keyID = idOf('a disposable key');
const noLimits = { validityDays: null, domains: null, meetingIDs: null, maxRole: null };

export class CreateDisposableKeyDto extends Dto({
  name,
  type: keyType,
  operations: keyOperations,
  ...optional(limits, noLimits),
}) {}

export class DisposableKeyIDDto extends Dto({ keyID }) {}

export class UpdateDisposableKeyDto extends Dto({ keyID, ...optional(disposableKeyFields) }) {}

export class GetDisposableKeysDto extends Dto(optionalQuery({ keyID: queryText() })) {}

const rowFields = {
  type: keyType,
  ...disposableKeyFields,
  maskedKey: z.string().describe('The first and last characters of the key.'),
  createdAt: time.describe('When the key was created.'),
  expiresAt: time.nullable().describe('When the key stops working; null: never.'),
  lastUsedAt: time.nullable().describe('When the key was last used; null: never.'),
};

export const disposableKeySchema = z
  .object({
    keyID: identifier('key'),
    ...rowFields,
    state: z.enum(disposableKeyStates).describe('State of the key.'),
  })
  .meta({ id: 'DisposableKey', description: 'A key that is limited to some operations, without the key itself.' });

const usageSchema = z.object({
  operation: operation.describe('The operation.'),
  requestCount: count.describe('Number of requests.'),
  lastUsedAt: time.describe('When the key was last used for the operation.'),
});

export const detailedKeySchema = disposableKeySchema
  .extend({ usage: z.array(usageSchema).describe('Use of the key, one entry for each operation.') })
  .meta({ id: 'DetailedDisposableKey', description: 'A disposable key with its use.' });
export type DetailedDisposableKey = z.infer<typeof detailedKeySchema>;

export const issuedKeySchema = detailedKeySchema
  .extend(credentialFields)
  .meta({ id: 'IssuedDisposableKey', description: 'A new disposable key with both halves of its credential.' });

export function presentDisposableKey(key: DisposableKey, now: number): z.infer<typeof disposableKeySchema> {
  return { keyID: key.id, ...presentFields(rowFields, key), state: stateOf(key, now) };
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
