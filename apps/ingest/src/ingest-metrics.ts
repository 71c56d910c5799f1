import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { MetricsRegistry } from '@rtms/health';
import { encoderProtocols } from '@rtms/contracts';
import { EncodersService } from './encoders.service.js';
import { INGEST_CONFIG, type IngestConfig } from './ingest.config.js';

/** The metrics of encoders on this node; docs/metrics.md explains them. */
@Injectable()
export class IngestMetrics implements OnModuleInit {
  constructor(
    @Inject(INGEST_CONFIG) private readonly config: IngestConfig,
    private readonly encoders: EncodersService,
    private readonly registry: MetricsRegistry,
  ) {}

  onModuleInit(): void {
    const { config, encoders, registry } = this;
    const gauge = (name: string, help: string, read: () => number): void => registry.gauge({ name, help, read });
    gauge('rtms_ingest_slots', 'Maximum of encoders on this node.', () => config.maxEncoders);
    gauge('rtms_ingest_slots_used', 'Places of connected encoders.', () => encoders.load);
    gauge(
      'rtms_ingest_slots_utilization',
      'Used share of the slots, 0 to 1.',
      () => encoders.load / config.maxEncoders,
    );
    gauge('rtms_ingest_srt_ports', 'SRT sessions that this node can hold: its ports.', () => encoders.srtPlaces.all);
    gauge(
      'rtms_ingest_srt_ports_used',
      'SRT sessions whose encoder is awaited, called, or sends.',
      () => encoders.srtPlaces.used,
    );
    gauge('rtms_ingest_rtmp_connections', 'Open connections of RTMP and RTMPS.', () => encoders.rtmpLimits.count);
    registry.gauge({
      name: 'rtms_ingest_encoders',
      help: 'Encoders that publish now, by protocol.',
      labels: ['protocol'],
      read: () => {
        const publishing = encoders.inventory().filter(({ state }) => state === 'publishing');
        return encoderProtocols.map(protocol => ({
          labels: { protocol },
          value: publishing.filter(each => each.protocol === protocol).length,
        }));
      },
    });
    this.registerCounters();
  }

  private registerCounters(): void {
    const { encoders, registry } = this;
    registry.counter({
      name: 'rtms_ingest_encoders_admitted_total',
      help: 'Encoders that were allowed to publish.',
      read: () => encoders.counts.admitted,
    });
    registry.counter({
      name: 'rtms_ingest_encoders_refused_total',
      help: 'Encoders that were refused: a wrong or expired key, a second publisher, a full node.',
      read: () => encoders.counts.refused,
    });
    registry.counter({
      name: 'rtms_ingest_rtmp_connections_refused_total',
      help: 'Connections of RTMP and RTMPS above the limits.',
      read: () => encoders.rtmpLimits.refused,
    });
  }
}
