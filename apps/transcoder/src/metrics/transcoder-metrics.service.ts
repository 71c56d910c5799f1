import type { StatsFs } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { Inject, Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import type { Bus, Closeable } from '@rtms/bus';
import { FactOutbox, HttpMetrics, MetricsRegistry, Readiness, registerNodeMetrics, type Sample } from '@rtms/health';
import { BroadcastsService } from '../jobs/broadcasts.service.js';
import { nodeLoad } from '../node-load.js';
import { RecordingsService } from '../recordings/recordings.service.js';
import type { TranscoderConfig } from '../transcoder.config.js';
import { BUS, TRANSCODER_CONFIG } from '../transcoder.tokens.js';
import { EncoderCounts } from './encoder-counts.js';
import { OriginMetrics } from './origin-metrics.js';

const broadcastStates = ['starting', 'active', 'interrupted'] as const;
const recordingStates = ['starting', 'recording', 'interrupted', 'processing'] as const;

/** Everything that this node tells Prometheus; docs/metrics.md says what it means. */
@Injectable()
export class TranscoderMetrics implements OnModuleInit, OnModuleDestroy {
  private following: Closeable | undefined;

  constructor(
    @Inject(BUS) private readonly bus: Bus,
    @Inject(TRANSCODER_CONFIG) private readonly config: TranscoderConfig,
    private readonly broadcasts: BroadcastsService,
    private readonly recordings: RecordingsService,
    private readonly encoders: EncoderCounts,
    private readonly facts: FactOutbox,
    private readonly registry: MetricsRegistry,
    private readonly http: HttpMetrics,
    private readonly readiness: Readiness,
  ) {}

  onModuleInit(): void {
    const { bus, facts, readiness } = this;
    this.following = registerNodeMetrics(this.registry, {
      service: 'transcoder',
      bus,
      facts,
      isDraining: () => readiness.isDraining(),
    });
    this.registerSlots();
    this.registerJobs();
    this.registerEncoders();
    this.registerDisks();
    new OriginMetrics(this.registry).follow(this.http);
  }

  async onModuleDestroy(): Promise<void> {
    await this.following?.close();
  }

  private registerSlots(): void {
    const { maxBroadcasts } = this.config;
    const used = (): number => nodeLoad(this.broadcasts, this.recordings);
    const gauge = (name: string, help: string, read: () => number): void => this.registry.gauge({ name, help, read });
    gauge('rtms_transcoder_slots', 'Broadcasts that this node takes at most.', () => maxBroadcasts);
    gauge('rtms_transcoder_slots_used', 'Slots that are taken; a recording takes a tenth of one.', used);
    gauge(
      'rtms_transcoder_slots_utilization',
      'Share of the slots that are taken, 0 to 1.',
      () => used() / maxBroadcasts,
    );
  }

  private registerJobs(): void {
    this.registry.gauge({
      name: 'rtms_transcoder_broadcasts',
      help: 'Broadcasts on this node.',
      labels: ['state'],
      read: () => countStates(broadcastStates, this.broadcasts.inventory()),
    });
    this.registry.gauge({
      name: 'rtms_transcoder_recordings',
      help: 'Recordings on this node that are not finished.',
      labels: ['state'],
      read: () => countStates(recordingStates, this.recordings.inventory()),
    });
  }

  private registerEncoders(): void {
    this.registry.counter({
      name: 'rtms_transcoder_encoder_failures_total',
      help: 'FFmpeg processes that ended without being told to.',
      read: () => this.encoders.failures,
    });
    this.registry.counter({
      name: 'rtms_transcoder_segments_total',
      help: 'HLS segments that were encoded, of all renditions.',
      read: () => this.encoders.segments,
    });
  }

  private registerDisks(): void {
    this.registerDisk('rtms_transcoder_disk_free_bytes', 'Free space where media is kept.', ({ bavail }) => bavail);
    this.registerDisk(
      'rtms_transcoder_disk_size_bytes',
      'Size of the disk where media is kept.',
      ({ blocks }) => blocks,
    );
  }

  private registerDisk(name: string, help: string, blocksOf: (disk: StatsFs) => number): void {
    const directories = { media: this.config.mediaDirectory, recordings: this.config.recordings.directory };
    this.registry.gauge({
      ...{ name, help },
      labels: ['directory'],
      read: () =>
        Promise.all(
          Object.entries(directories).map(async ([directory, path]): Promise<Sample> => {
            const disk = await statfs(path);
            return { labels: { directory }, value: blocksOf(disk) * disk.bsize };
          }),
        ),
    });
  }
}

function countStates(states: readonly string[], jobs: readonly { state: string }[]): Sample[] {
  return states.map(state => ({ labels: { state }, value: jobs.filter(job => job.state === state).length }));
}
