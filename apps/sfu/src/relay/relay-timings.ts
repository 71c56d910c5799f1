import { leaseRenewSeconds, leaseTtlSeconds } from '@rtms/contracts';

/** Milliseconds. */
export const relayTimings = {
  /** The owner sends `keep` this often. */
  keepEveryMs: leaseRenewSeconds * 1000,
  /** A relay closes when its owner has not sent `keep` for this long. The owner gives up a relay that has not answered for this long. */
  lapseAfterMs: leaseTtlSeconds * 1000,
  /** Media does not reach a relay that has received nothing of a sent track for this long. */
  silentAfterMs: 5_000,
} as const;
