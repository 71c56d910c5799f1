import type { MetricsRegistry, Sample } from '@rtms/health';
import { Histogram } from 'prom-client';
import {
  clientRoles,
  connectionOutcomes,
  directions,
  mediaKinds,
  type MediaStatistics,
  type StreamCounters,
} from '../media/media-statistics.js';

const lossBuckets = [0, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2];
const roundTripBuckets = [0.01, 0.025, 0.05, 0.1, 0.2, 0.4, 0.8, 1.6];
/** The SLO for starts counts the bucket of 3 s. */
const startBuckets = [0.25, 0.5, 1, 1.5, 2, 3, 5, 10, 30];

/** Registers the metrics of media. A scrape reads only numbers that `MediaStatistics` has. */
export function registerMediaMetrics(registry: MetricsRegistry, statistics: MediaStatistics): void {
  registerStreams(registry, statistics);
  registerConnections(registry, statistics);
  observe(registry, statistics);
}

const streamMetrics: readonly [keyof StreamCounters, string, string][] = [
  ['bytes', 'rtms_sfu_media_bytes_total', 'RTP bytes from and to clients.'],
  ['packets', 'rtms_sfu_media_packets_total', 'RTP packets from and to clients.'],
  ['packetsLost', 'rtms_sfu_media_packets_lost_total', 'RTP packets that never arrived.'],
  ['packetsRetransmitted', 'rtms_sfu_media_packets_retransmitted_total', 'RTP packets that were sent again.'],
  ['nacks', 'rtms_sfu_media_nacks_total', 'RTCP requests to send packets again.'],
];

function registerStreams(registry: MetricsRegistry, { streams }: MediaStatistics): void {
  for (const [counter, name, help] of streamMetrics) {
    const read = (): Sample[] =>
      directions.flatMap(direction =>
        mediaKinds.map(kind => ({ labels: { direction, kind }, value: streams[direction][kind][counter] })),
      );
    registry.counter({ name, help, labels: ['direction', 'kind'], read });
  }
  registry.counter({
    name: 'rtms_sfu_media_keyframe_requests_total',
    help: 'PLI and FIR: to publishers, and from viewers and members.',
    labels: ['direction'],
    read: () =>
      directions.map(direction => ({ labels: { direction }, value: streams[direction].video.keyframeRequests })),
  });
}

function registerConnections(registry: MetricsRegistry, { connections, losses }: MediaStatistics): void {
  registry.counter({
    name: 'rtms_sfu_connections_total',
    help: 'Media connections that were tried, by result of ICE and DTLS.',
    labels: ['client', 'outcome'],
    read: () =>
      clientRoles.flatMap(client =>
        connectionOutcomes.map(outcome => ({ labels: { client, outcome }, value: connections[client][outcome] })),
      ),
  });
  registry.counter({
    name: 'rtms_sfu_connections_lost_total',
    help: 'Connected media connections that ended without DELETE or fell silent.',
    labels: ['client'],
    read: () => clientRoles.map(client => ({ labels: { client }, value: losses[client] })),
  });
}

function observe(registry: MetricsRegistry, statistics: MediaStatistics): void {
  const registers = [registry];
  const loss = new Histogram({
    name: 'rtms_sfu_media_loss_ratio',
    help: 'Share of lost packets in the last RTCP report. Sampled viewers count more often.',
    labelNames: ['direction'],
    buckets: lossBuckets,
    registers,
  });
  const roundTrip = new Histogram({
    name: 'rtms_sfu_media_round_trip_seconds',
    help: 'Round-trip time by RTCP. Sampled viewers count more often.',
    labelNames: ['direction'],
    buckets: roundTripBuckets,
    registers,
  });
  const start = new Histogram({
    name: 'rtms_sfu_media_start_seconds',
    help: "Time from a client's POST to the publisher's first packets or the viewer's first keyframe.",
    labelNames: ['client'],
    buckets: startBuckets,
    registers,
  });
  for (const direction of directions) {
    loss.zero({ direction });
    roundTrip.zero({ direction });
  }
  for (const client of ['publisher', 'viewer']) start.zero({ client });
  statistics.onReading.add((direction, { lossRatio, roundTripSeconds = 0 }) => {
    loss.observe({ direction }, lossRatio);
    // 0: no RTCP report has answered yet.
    if (roundTripSeconds > 0) roundTrip.observe({ direction }, roundTripSeconds);
  });
  statistics.onStarted.add((client, seconds) => start.observe({ client }, seconds));
}
