import { leaseRenewSeconds, leaseTtlSeconds } from '@rtms/contracts';

/** Milliseconds. */
export interface RelayTimings {
  keepEveryMs: number;
  /** A relay that was not kept for so long is closed, as is one that did not answer for so long. */
  lapseAfterMs: number;
  /** A relay that has had nothing of a track that was sent to it for so long is not reached by media. */
  silentAfterMs: number;
}

export const defaultRelayTimings: RelayTimings = {
  keepEveryMs: leaseRenewSeconds * 1000,
  lapseAfterMs: leaseTtlSeconds * 1000,
  silentAfterMs: 5_000,
};
