import type { Verdict } from '@rtms/contracts';
import type { PaceTroubles } from '../presentation/changes.js';

/** The evidence of ten seconds about all viewers of a broadcast. */
export interface BroadcastEvidence extends PaceTroubles {
  /** Bits per second of the lowest rendition; 0: unknown. */
  lowestBitrate: number;
  measured: number;
  stalled: number;
}

interface ViewerEvidence {
  stalls: number;
  throughput: number | null;
}

/** So many players do not stall together by chance. */
const commonTrouble = { viewers: 4, share: 0.75 } as const;

/**
 * Finds whose fault the stalls of a player are. Trouble before the player's network shows at all players, so the parts are asked in the
 * order of the media.
 */
export function judgeHls({ stalls, throughput }: ViewerEvidence, broadcast: BroadcastEvidence): Verdict {
  const { lostMs, lateMs, lowestBitrate, measured, stalled } = broadcast;
  if (stalls === 0) return { cause: 'none', value: 0 };
  if (lostMs > 0) return { cause: 'hls_source_lost', value: lostMs };
  if (lateMs > 0) return { cause: 'hls_media_late', value: lateMs };
  const share = measured === 0 ? 0 : stalled / measured;
  if (measured >= commonTrouble.viewers && share >= commonTrouble.share)
    return { cause: 'hls_common', value: share * 100 };
  if (throughput !== null && throughput < lowestBitrate) return { cause: 'hls_slow', value: throughput / 1_000 };
  return { cause: 'hls_stalled', value: stalls };
}
