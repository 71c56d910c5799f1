import type { Caller } from '../../platform/auth/caller.js';
import { normalisedDomain } from '../../platform/auth/host-name.js';
import { newID } from '../../platform/database/new-id.js';
import { maskKey } from '../../platform/secrets/mask-secret.js';
import type { DisposableKey } from './disposable-key.entity.js';
import type { CreateDisposableKeyDto, UpdateDisposableKeyDto } from './disposable-key.dto.js';

const dayMs = 86_400_000;

/** The key itself and what is kept of it. */
export interface KeyText {
  apiKey: string;
  hash: Buffer;
}

/** A key of the caller's: of its sub-user, and of the disposable key that asks for it. */
export function makeDisposableKey(
  caller: Caller,
  dto: CreateDisposableKeyDto,
  { apiKey, hash }: KeyText,
  now: Date,
): DisposableKey {
  const validityDays = dto.validityDays ?? null;
  return {
    id: newID('key'),
    accountID: caller.accountID,
    subUserID: caller.subUserID,
    createdByKeyID: caller.keyKind === 'disposable' ? caller.keyID : null,
    name: dto.name,
    type: dto.type,
    validityDays,
    operations: dto.operations,
    domains: normalised(dto.domains ?? null),
    meetingIDs: dto.meetingIDs ?? null,
    maxRole: dto.maxRole ?? null,
    hash,
    maskedKey: maskKey(apiKey),
    createdAt: now,
    expiresAt: endOf(now, validityDays),
    lastUsedAt: null,
    revokedAt: null,
  };
}

type Changes = Pick<
  DisposableKey,
  'name' | 'operations' | 'domains' | 'meetingIDs' | 'maxRole' | 'validityDays' | 'expiresAt'
>;

/** A missing field stays as it is. The validity counts from the creation of the key. */
export function changedKey(key: DisposableKey, dto: UpdateDisposableKeyDto): Changes {
  const validityDays = dto.validityDays === undefined ? key.validityDays : dto.validityDays;
  return {
    name: dto.name ?? key.name,
    operations: dto.operations ?? key.operations,
    domains: dto.domains === undefined ? key.domains : normalised(dto.domains),
    meetingIDs: dto.meetingIDs === undefined ? key.meetingIDs : dto.meetingIDs,
    maxRole: dto.maxRole === undefined ? key.maxRole : dto.maxRole,
    validityDays,
    expiresAt: endOf(key.createdAt, validityDays),
  };
}

function normalised(domains: readonly string[] | null): string[] | null {
  return domains && [...new Set(domains.map(normalisedDomain))];
}

function endOf(start: Date, days: number | null): Date | null {
  return days === null ? null : new Date(start.getTime() + days * dayMs);
}
