import type { KeyType } from '../../platform/auth/caller.js';
import type { AccountEventType, EventResourceKind } from './event-types.js';

/** A change of an account's state, as the event log keeps it. */
export interface AccountEvent {
  /** The same in each delivery. */
  eventID: string;
  accountID: string;
  /** Grows by one with each event of the account. */
  sequence: number;
  type: AccountEventType;
  /** RFC 3339, UTC, milliseconds. */
  createdAt: string;
  /** null: the event belongs to no room. */
  meetingID: string | null;
  /** The environment; null: both environments share the resource. */
  keyType: KeyType | null;
  resource: { kind: EventResourceKind; id: string };
  /** The schema of the type in `event-types.ts`. */
  data: object;
  /** The request that made the change; null: the service itself. */
  requestID: string | null;
}
