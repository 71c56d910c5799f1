import type { EndReason, ExternalSessionFact, ExternalSessionState } from '@rtms/contracts';

export const pendingReasons = ['publisher_lost', 'worker_lost', 'node_draining', 'node_lost'] as const satisfies (
  | 'node_lost'
  | Extract<ExternalSessionFact, { type: 'external_session.interrupted' }>['reason']
)[];
export type PendingReason = (typeof pendingReasons)[number];

/** A change of the state of a session. `reason`: why it became pending or ended; null when it became active. */
export interface SessionEvent {
  /** RFC 3339, UTC, milliseconds. */
  at: string;
  state: ExternalSessionState;
  reason: PendingReason | EndReason | null;
}

/** A publisher that reconnects for ever must not make the row grow for ever. */
const keptEvents = 50;

/** Adds an event. Keeps the first one, which tells when the session began, and the newest. */
export function withEvent(
  events: readonly SessionEvent[],
  at: Date,
  { state, reason }: Omit<SessionEvent, 'at'>,
): SessionEvent[] {
  const all = [...events, { at: at.toISOString(), state, reason }];
  return all.length > keptEvents ? [...all.slice(0, 1), ...all.slice(1 - keptEvents)] : all;
}
