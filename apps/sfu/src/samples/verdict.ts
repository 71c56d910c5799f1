import type { Verdict } from '@rtms/contracts';

/** The way from the publisher to this node in one interval. */
export interface SourceLeg {
  /** Whether a publisher is connected, or was lost and may return. */
  isPresent: boolean;
  /** Time without media, in gaps of at least 2 s. */
  stalledMs: number;
  /** Time since the last packet of any kind, connection checks included. */
  unheardMs: number;
  /** Share of packets that did not arrive at first, 0 to 1. */
  lossShare: number;
}

/** The node that serves the viewer. */
export interface NodeLeg {
  /** Used share of the core of the viewer's media worker. */
  workerUsage: number;
  lagMs: number;
  /** Share of packets that the system refused to send. */
  refusedShare: number;
  /** Networks of viewers on the node, by IP address. */
  networks: {
    measured: number;
    /** A viewer in the network has trouble. */
    troubled: number;
    /** So, and neither its publisher, uplink nor relay explains the trouble. */
    unexplained: number;
  };
}

/** The way from the room's node to the viewer's node. */
export interface RelayLeg {
  lossShare: number;
  /** Time without media while the room's node received media. */
  stalledMs: number;
}

/** The way to the viewer. */
export interface ViewerLeg {
  /** Share of lost packets by the viewer's reports. It includes packets that were lost before. */
  lossShare: number;
  retransmittedShare: number;
  roundTripMs: number | null;
  frozenMs: number;
  /** Nothing of any kind came from the viewer in the interval. */
  isSilent: boolean;
}

export interface Legs {
  intervalMs: number;
  source: SourceLeg;
  node: NodeLeg;
  /** Absent: the room's node serves the viewer. */
  relay?: RelayLeg | undefined;
  viewer: ViewerLeg;
}

/** From these values on, a person sees the trouble. */
const harmful = {
  /** Video conceals fewer losses, or they are repaired in time. */
  lossShare: 0.02,
  retransmittedShare: 0.05,
  /** Repair by retransmission then takes longer than the buffer of a player. */
  roundTripMs: 400,
  frozenMs: 500,
  /** A still screen has a second between pictures, plus a sweep of half a second. */
  stalledMs: 2_000,
  /** Clients check their connection every 2.5 to 6 s. */
  unheardMs: 7_000,
} as const;

/** From these values on, a node cannot serve its viewers in time. */
const overloaded = { workerUsage: 0.95, lagMs: 1_000, refusedShare: 0.01 } as const;

/** So many networks do not fail together by chance. */
const commonTrouble = { networks: 4, share: 0.75 } as const;

const well: Verdict = { cause: 'none', value: 0 };

/** Whether a person at the viewer sees the trouble. */
export function isTroubled({ lossShare, retransmittedShare, roundTripMs, frozenMs, isSilent }: ViewerLeg): boolean {
  return (
    isSilent ||
    lossShare >= harmful.lossShare ||
    retransmittedShare >= harmful.retransmittedShare ||
    (roundTripMs ?? 0) >= harmful.roundTripMs ||
    frozenMs >= harmful.frozenMs
  );
}

/**
 * Finds whose fault a viewer's trouble is. A fault before the viewer's network also shows at the viewer, so the legs are asked in the order
 * of the media: an overloaded node first, because it disturbs all other measurements.
 */
export function judge(legs: Legs): Verdict {
  if (!isTroubled(legs.viewer)) return well;
  const verdict = ofOverload(legs.node) ?? ofSilentSource(legs) ?? ofSilentRelay(legs) ?? ofSilentViewer(legs);
  return verdict ?? ofLoss(legs);
}

function ofOverload({ workerUsage, lagMs, refusedShare, networks }: NodeLeg): Verdict | undefined {
  // Other viewers would have trouble too.
  const isAlone = networks.measured >= commonTrouble.networks && networks.troubled <= networks.measured / 2;
  if (isAlone) return undefined;
  if (refusedShare >= overloaded.refusedShare) return { cause: 'node_sending', value: refusedShare * 100 };
  if (workerUsage >= overloaded.workerUsage) return { cause: 'node_cpu', value: workerUsage * 100 };
  return lagMs >= overloaded.lagMs ? { cause: 'node_lag', value: lagMs } : undefined;
}

function ofSilentSource({ source, viewer }: Legs): Verdict | undefined {
  const { isPresent, stalledMs, unheardMs, lossShare } = source;
  if (!isPresent) return { cause: 'publisher_absent', value: 0 };
  if (stalledMs < harmful.stalledMs || stalledMs < viewer.frozenMs / 2) return undefined;
  if (unheardMs >= harmful.unheardMs) return { cause: 'uplink_cut', value: unheardMs };
  // An encoder that stops leaves no gap in its sequence numbers.
  if (lossShare >= harmful.lossShare) return { cause: 'uplink_loss', value: lossShare * 100 };
  return { cause: 'publisher_stalled', value: stalledMs };
}

function ofSilentRelay({ relay }: Legs): Verdict | undefined {
  const stalledMs = relay?.stalledMs ?? 0;
  return stalledMs >= harmful.stalledMs ? { cause: 'relay_cut', value: stalledMs } : undefined;
}

/** A silent viewer is one of many if the node's network is cut. */
function ofSilentViewer({ viewer, node, intervalMs }: Legs): Verdict | undefined {
  if (!viewer.isSilent) return undefined;
  return ofCommonTrouble(node) ?? { cause: 'viewer_silent', value: intervalMs };
}

function ofCommonTrouble({ networks: { measured, unexplained } }: NodeLeg): Verdict | undefined {
  const share = measured === 0 ? 0 : unexplained / measured;
  const isCommon = measured >= commonTrouble.networks && share >= commonTrouble.share;
  return isCommon ? { cause: 'node_network', value: share * 100 } : undefined;
}

/** Shares of lost packets by the leg that lost them. A lost packet is missing on all later legs, too. */
interface Losses {
  uplink: number;
  hop: number;
  own: number;
}

function lossesOf({ source, relay, viewer }: Legs): Losses {
  const uplink = source.lossShare;
  const hop = Math.max(0, (relay?.lossShare ?? 0) - uplink);
  return { uplink, hop, own: Math.max(0, viewer.lossShare - uplink - hop) };
}

/** Blames the leg that lost most. A late or repaired packet is no loss, but shows at the viewer: then little loss explains trouble. */
function ofLoss(legs: Legs): Verdict {
  const losses = lossesOf(legs);
  return (
    ofEarlierLoss(losses, harmful.lossShare) ??
    ofCommonTrouble(legs.node) ??
    ofClearTrouble(legs.viewer, losses) ??
    ofEarlierLoss(losses, harmful.lossShare / 4) ??
    ofViewer(legs.viewer)
  );
}

function ofEarlierLoss({ uplink, hop, own }: Losses, least: number): Verdict | undefined {
  if (Math.max(uplink, hop) < Math.max(least, own)) return undefined;
  return uplink >= hop ? { cause: 'uplink_loss', value: uplink * 100 } : { cause: 'relay_loss', value: hop * 100 };
}

function ofClearTrouble({ roundTripMs }: ViewerLeg, { own }: Losses): Verdict | undefined {
  if (own >= harmful.lossShare) return { cause: 'viewer_loss', value: own * 100 };
  if (roundTripMs === null || roundTripMs < harmful.roundTripMs) return undefined;
  return { cause: 'viewer_delay', value: roundTripMs };
}

function ofViewer({ lossShare, retransmittedShare, frozenMs }: ViewerLeg): Verdict {
  if (frozenMs >= harmful.frozenMs && retransmittedShare < harmful.retransmittedShare)
    return { cause: 'viewer_frozen', value: frozenMs };
  return { cause: 'viewer_loss', value: Math.max(lossShare, retransmittedShare) * 100 };
}
