import type { TrackArrival, Verdict, ViewerSample } from '@rtms/contracts';
import type { MeasuredViewer } from '../media/media-engine.js';
import type { SourceArrival } from '../rooms/session.js';
import type { Legs, NodeLeg, RelayLeg, SourceLeg, ViewerLeg } from './verdict.js';

/** The totals of a viewer and its source at one time. */
interface Totals {
  /** ms since 1970. */
  at: number;
  /** undefined: no publisher is connected. */
  source: SourceArrival | undefined;
  viewer: MeasuredViewer;
}

/** Two readings of the same viewer and track. */
export interface Interval {
  former: Totals;
  now: Totals;
}

/** Fewer packets say nothing about a network. */
const leastPackets = 10;

/** Chromium without a decodable picture asks for a keyframe every 200 ms (`max_wait_for_keyframe` of its frame buffer). */
const frozenMsOfRequest = 200;

const idleNode: NodeLeg = {
  ...{ workerUsage: 0, lagMs: 0, refusedShare: 0 },
  networks: { measured: 0, troubled: 0, unexplained: 0 },
};

/** Compares two readings. The node is idle. */
export function legsOf(interval: Interval): Legs {
  const intervalMs = interval.now.at - interval.former.at;
  const source = sourceLeg(interval, intervalMs);
  const relay = relayLeg(interval, intervalMs);
  return { intervalMs, source, node: idleNode, relay, viewer: viewerLeg(interval, intervalMs, source) };
}

export function sampleOfLegs({ former, now }: Interval, { intervalMs, viewer }: Legs, verdict: Verdict): ViewerSample {
  const { roundTripMs, layer, bytes } = now.viewer;
  const uplinkMs = now.source?.roundTripMs ?? null;
  return {
    ...{ at: now.at, roundTripMs, layer, ...verdict },
    fractionLost: viewer.lossShare,
    retransmitted: viewer.retransmittedShare,
    bitrate: (Math.max(0, bytes - former.viewer.bytes) * 8_000) / intervalMs,
    frozenMs: viewer.frozenMs,
    delayMs: uplinkMs === null || roundTripMs === null ? null : (uplinkMs + roundTripMs) / 2,
  };
}

function sourceLeg({ former, now }: Interval, intervalMs: number): SourceLeg {
  const [before, after] = [former.source, now.source];
  if (!after) return { isPresent: false, stalledMs: intervalMs, unheardMs: intervalMs, lossShare: 0 };
  const unheardMs = Math.max(0, now.at - after.heardAt);
  // Another publisher has come meanwhile.
  if (before?.trackID !== after.trackID) return { isPresent: true, stalledMs: 0, unheardMs, lossShare: 0 };
  const stalledMs = Math.min(intervalMs, Math.max(0, after.stalledMs - before.stalledMs));
  return { isPresent: true, stalledMs: after.isPaused ? 0 : stalledMs, unheardMs, lossShare: lossOf(before, after) };
}

function relayLeg({ former, now }: Interval, intervalMs: number): RelayLeg | undefined {
  if (!now.viewer.relay) return undefined;
  const [before, after] = [former.viewer.relay?.arrival, now.viewer.relay.arrival];
  if (!before || !after) return { lossShare: 0, stalledMs: 0 };
  const isCut = after.packets === before.packets && isPublishing(former.source, now.source);
  return { lossShare: lossOf(before, after), stalledMs: isCut ? intervalMs : 0 };
}

function isPublishing(before: SourceArrival | undefined, after: SourceArrival | undefined): boolean {
  return after?.isPaused === false && after.packets - (before?.packets ?? after.packets) >= leastPackets;
}

/** Share of the packets that did not arrive at first. A repaired packet came too late for some players. */
function lossOf(before: TrackArrival, after: TrackArrival): number {
  const lost = Math.max(0, after.lost - before.lost);
  const repaired = Math.max(0, after.repaired - before.repaired);
  const sent = Math.max(0, after.packets - before.packets) + lost;
  return sent < leastPackets ? 0 : Math.min(1, (lost + repaired) / sent);
}

function viewerLeg({ former, now }: Interval, intervalMs: number, source: SourceLeg): ViewerLeg {
  const [before, after] = [former.viewer, now.viewer];
  const sent = Math.max(0, after.packets - before.packets);
  const shareOf = (count: number): number => (sent < leastPackets ? 0 : Math.min(1, Math.max(0, count) / sent));
  const isSilent = after.heardBytes === before.heardBytes;
  const isPaused = now.source?.isPaused ?? false;
  const requestedMs = Math.max(0, after.keyframeRequests - before.keyframeRequests) * frozenMsOfRequest;
  const isFrozen = isSilent || (sent === 0 && !isPaused);
  return {
    ...{ isSilent, roundTripMs: after.roundTripMs },
    lossShare: shareOf(after.lost - before.lost),
    retransmittedShare: shareOf(after.retransmitted - before.retransmitted),
    frozenMs: Math.min(intervalMs, isFrozen ? intervalMs : Math.max(requestedMs, source.stalledMs)),
  };
}
