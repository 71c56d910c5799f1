import type { DashboardEventKind } from '@rtms/contracts';
import type { QueryKey } from '@tanstack/react-query';

/** What is kept besides what the account's changes tell of. */
export type OtherKind =
  'overview' | 'log' | 'statistics' | 'key' | 'document' | 'admin' | 'secondFactor' | 'entitlements';

export type ShownKind = DashboardEventKind | OtherKind;

/**
 * The first part of every key is the kind of what it shows, so that a change of such a thing fetches it again:
 * `shownKey('domain', 'list', page)`.
 */
export function shownKey(kind: ShownKind, ...rest: readonly unknown[]): QueryKey {
  return [kind, ...rest];
}
