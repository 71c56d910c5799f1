import type { Verdict } from '@rtms/contracts';
import type { PaceTroubles } from '../pace/media-pace.js';

/** The evidence of ten seconds about all viewers of a broadcast. */
export interface BroadcastEvidence extends PaceTroubles {
  /** Bits per second of the lowest rendition; 0: unknown. */
  lowestBitrate: number;
  /** Share of the source's packets that did not come, 0 to 1. */
  lostShare: number;
  /** Players whose networks are fast enough, as far as they tell, and the networks of the others: several slow players of one network are one. */
  measured: number;
  /** Of these, with a stall, or less than half of the usual buffer. */
  troubled: number;
}

interface ViewerEvidence {
  stalls: number;
  throughput: number | null;
}

/** Fewer lost packets leave no silence. */
const harmfulLossShare = 0.02;

/** If at least this share of at least so many players has trouble together, the cause is not their own networks. */
const commonTrouble = { viewers: 4, share: 0.75 } as const;

/**
 * Finds whose fault the stalls of a player are. Trouble at the source or at the node reaches all players. So the verdict looks at the
 * source first, then at the node, and at the player's network last.
 */
export function judgeHls({ stalls, throughput }: ViewerEvidence, broadcast: BroadcastEvidence): Verdict {
  if (stalls === 0) return { cause: 'none', value: 0 };
  return ofSource(broadcast) ?? ofNode(broadcast) ?? ofNetwork(stalls, throughput, broadcast.lowestBitrate);
}

function ofSource({ lostMs, lostShare }: BroadcastEvidence): Verdict | undefined {
  if (lostMs === 0) return undefined;
  // An encoder that stops leaves no gap in its sequence numbers.
  if (lostShare >= harmfulLossShare) return { cause: 'hls_uplink_loss', value: lostShare * 100 };
  return { cause: 'hls_source_lost', value: lostMs };
}

function ofNode({ movedMs, lateMs, measured, troubled }: BroadcastEvidence): Verdict | undefined {
  if (movedMs > 0) return { cause: 'hls_source_moved', value: movedMs };
  if (lateMs > 0) return { cause: 'hls_media_late', value: lateMs };
  const share = measured === 0 ? 0 : troubled / measured;
  const isCommon = measured >= commonTrouble.viewers && share >= commonTrouble.share;
  return isCommon ? { cause: 'hls_common', value: share * 100 } : undefined;
}

function ofNetwork(stalls: number, throughput: number | null, lowestBitrate: number): Verdict {
  if (throughput !== null && throughput < lowestBitrate) return { cause: 'hls_slow', value: throughput / 1_000 };
  return { cause: 'hls_stalled', value: stalls };
}
