import { leaseRenewSeconds, leaseTtlSeconds } from '@rtms/contracts';

/** Milliseconds. */
export interface RelayTimings {
  keepEveryMs: number;
  /** A relay that was not kept for so long is closed, as is one that did not answer for so long. */
  lapseAfterMs: number;
}

export const defaultRelayTimings: RelayTimings = {
  keepEveryMs: leaseRenewSeconds * 1000,
  lapseAfterMs: leaseTtlSeconds * 1000,
};
