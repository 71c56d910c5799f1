import type { types } from 'mediasoup';
import type { TrackReception } from '@rtms/contracts';

type Reception = Omit<TrackReception, 'width' | 'height' | 'frameRate'>;

/** RTCP counts lost packets in 256ths. */
const lossUnits = 256;

/** From the worker's counters of all layers: what adds up is added, of the rest the worst counts. */
export function receptionOf(stats: readonly types.ProducerStat[], clockRate: number): Reception {
  const sum = (valueOf: (stream: types.ProducerStat) => number) =>
    stats.reduce((total, each) => total + valueOf(each), 0);
  const worst = (valueOf: (stream: types.ProducerStat) => number) => Math.max(0, ...stats.map(valueOf));
  const roundTrips = stats.flatMap(({ roundTripTime }) => roundTripTime ?? []);
  return {
    bitrate: sum(({ bitrate }) => bitrate),
    packetsReceived: sum(({ packetCount }) => packetCount),
    packetsLost: Math.max(
      0,
      sum(({ packetsLost }) => packetsLost),
    ),
    fractionLost: worst(({ fractionLost }) => fractionLost) / lossUnits,
    jitterMs: (worst(({ jitter }) => jitter) / clockRate) * 1000,
    roundTripMs: roundTrips.length === 0 ? null : Math.max(...roundTrips),
  };
}
