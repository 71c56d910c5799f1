import type { Verdict } from '@rtms/contracts';
import type { PaceTroubles } from '../pace/media-pace.js';

/** The evidence of ten seconds about all viewers of a broadcast. */
export interface BroadcastEvidence extends PaceTroubles {
  /** Bits per second of the lowest rendition; 0: unknown. */
  lowestBitrate: number;
  /** Players whose networks are fast enough, as far as they tell. */
  measured: number;
  /** Of these, players that stalled. */
  stalled: number;
}

interface ViewerEvidence {
  stalls: number;
  throughput: number | null;
}

/** If at least this share of at least so many players stalls in the same ten seconds, the cause is not their own networks. */
const commonTrouble = { viewers: 4, share: 0.75 } as const;

/**
 * Finds whose fault the stalls of a player are. Trouble at the source or at the node reaches all players. So the verdict looks at the
 * source first, then at the node, and at the player's network last.
 */
export function judgeHls({ stalls, throughput }: ViewerEvidence, broadcast: BroadcastEvidence): Verdict {
  const { lostMs, movedMs, lateMs, lowestBitrate, measured, stalled } = broadcast;
  if (stalls === 0) return { cause: 'none', value: 0 };
  if (lostMs > 0) return { cause: 'hls_source_lost', value: lostMs };
  if (movedMs > 0) return { cause: 'hls_source_moved', value: movedMs };
  if (lateMs > 0) return { cause: 'hls_media_late', value: lateMs };
  const share = measured === 0 ? 0 : stalled / measured;
  if (measured >= commonTrouble.viewers && share >= commonTrouble.share)
    return { cause: 'hls_common', value: share * 100 };
  if (throughput !== null && throughput < lowestBitrate) return { cause: 'hls_slow', value: throughput / 1_000 };
  return { cause: 'hls_stalled', value: stalls };
}
