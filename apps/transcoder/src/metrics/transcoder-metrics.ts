import type { StatsFs } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { restreamProblems } from '@rtms/contracts';
import { HttpMetrics, MetricsRegistry, type Sample, statusClass, type DoneHttpRequest } from '@rtms/health';
import { Counter } from 'prom-client';
import { BroadcastsService } from '../jobs/hls/broadcasts.service.js';
import { nodeLoad } from '../transcoder-work.js';
import { RecordingsService } from '../jobs/recordings/recordings.service.js';
import { RestreamsService } from '../jobs/restreams/restreams.service.js';
import { RepairsService } from '../jobs/repairs/repairs.service.js';
import { TRANSCODER_CONFIG, type TranscoderConfig } from '../transcoder.config.js';
import { HlsViewers } from '../delivery/viewers/hls-viewers.js';
import { EncoderCounts } from './encoder-counts.js';

const broadcastStates = ['starting', 'active', 'interrupted'] as const;
const restreamStates = ['connecting', 'active', 'retrying', 'interrupted'] as const;
const recordingStates = ['starting', 'recording', 'interrupted', 'processing'] as const;

/** The metrics of jobs and disks on this node; docs/metrics.md explains them. */
@Injectable()
export class TranscoderMetrics implements OnModuleInit {
  constructor(
    @Inject(TRANSCODER_CONFIG) private readonly config: TranscoderConfig,
    private readonly broadcasts: BroadcastsService,
    private readonly recordings: RecordingsService,
    private readonly restreams: RestreamsService,
    private readonly repairs: RepairsService,
    private readonly encoders: EncoderCounts,
    private readonly viewers: HlsViewers,
    private readonly registry: MetricsRegistry,
    private readonly http: HttpMetrics,
  ) {}

  onModuleInit(): void {
    this.registerSlots();
    this.registerJobs();
    this.registerRestreams();
    this.registerRepairs();
    this.registerEncoders();
    this.registerViewers();
    this.registerDisks();
    new OriginMetrics(this.registry).follow(this.http);
  }

  private registerSlots(): void {
    const { maxBroadcasts } = this.config;
    const { broadcasts, recordings, restreams, repairs } = this;
    const used = (): number => nodeLoad({ broadcasts, recordings, restreams, repairs });
    const gauge = (name: string, help: string, read: () => number): void => this.registry.gauge({ name, help, read });
    gauge('rtms_transcoder_slots', 'Maximum of broadcasts on this node.', () => maxBroadcasts);
    gauge(
      'rtms_transcoder_slots_used',
      'Used slots. A broadcast uses one, a recording or restream a tenth, a repair a quarter of one.',
      used,
    );
    gauge('rtms_transcoder_slots_utilization', 'Used share of the slots, 0 to 1.', () => used() / maxBroadcasts);
  }

  private registerJobs(): void {
    this.registry.gauge({
      name: 'rtms_transcoder_broadcasts',
      help: 'Broadcasts on this node by state.',
      labels: ['state'],
      read: () => countStates(broadcastStates, this.broadcasts.inventory()),
    });
    this.registry.gauge({
      name: 'rtms_transcoder_recordings',
      help: 'Unfinished recordings on this node by state.',
      labels: ['state'],
      read: () => countStates(recordingStates, this.recordings.inventory()),
    });
  }

  private registerRestreams(): void {
    this.registry.gauge({
      name: 'rtms_transcoder_restreams',
      help: 'Restreams on this node by state.',
      labels: ['state'],
      read: () => countStates(restreamStates, this.restreams.inventory()),
    });
    this.registry.counter({
      name: 'rtms_transcoder_restream_failures_total',
      help: 'Lost or failed connections to targets of restreams, by problem.',
      labels: ['problem'],
      read: () =>
        restreamProblems.map(problem => ({ labels: { problem }, value: this.restreams.failures.get(problem) ?? 0 })),
    });
  }

  private registerRepairs(): void {
    this.registry.gauge({
      name: 'rtms_transcoder_repairs',
      help: 'Sessions whose B-frames this node removes for viewers by WebRTC.',
      read: () => this.repairs.load,
    });
  }

  private registerEncoders(): void {
    this.registry.counter({
      name: 'rtms_transcoder_encoder_failures_total',
      help: 'FFmpeg processes that died.',
      read: () => this.encoders.failures,
    });
    this.registry.counter({
      name: 'rtms_transcoder_segments_total',
      help: 'Encoded HLS segments of all renditions.',
      read: () => this.encoders.segments,
    });
    this.registry.counter({
      name: 'rtms_transcoder_encoded_media_seconds_total',
      help: 'Length of the encoded media of all broadcasts.',
      read: () => this.encoders.mediaSeconds,
    });
    this.registry.counter({
      name: 'rtms_transcoder_encoding_seconds_total',
      help: 'Time in which the encoders encoded this media.',
      read: () => this.encoders.wallSeconds,
    });
  }

  private registerViewers(): void {
    const { viewers } = this;
    this.registry.counter({
      name: 'rtms_transcoder_viewer_samples_total',
      help: 'Samples of HLS viewers whose players send CMCD, by the part that is at fault for stalls.',
      labels: ['fault'],
      read: () => Object.entries(viewers.verdicts).map(([fault, value]) => ({ labels: { fault }, value })),
    });
    this.registry.counter({
      name: 'rtms_transcoder_viewer_stalls_total',
      help: 'Times that players of HLS viewers ran out of media, as they report by CMCD.',
      read: () => viewers.stalls,
    });
  }

  private registerDisks(): void {
    this.registry.gauge({
      name: 'rtms_transcoder_recordings_used_bytes',
      help: 'Bytes of recordings on the disk of this node, with the space that joining needs.',
      read: async () => (await this.recordings.usage()).used,
    });
    this.registry.gauge({
      name: 'rtms_transcoder_recordings_limit_bytes',
      help: 'Maximum of rtms_transcoder_recordings_used_bytes: RECORDINGS_MAX_BYTES, or less if the disk is smaller.',
      read: async () => (await this.recordings.usage()).limit,
    });
    this.registry.gauge({
      name: 'rtms_transcoder_dvr_used_bytes',
      help: 'Bytes of segments that only viewers need who seek back; at most DVR_MAX_BYTES.',
      read: () => this.broadcasts.dvrBytes,
    });
    this.registerDisk(
      'rtms_transcoder_disk_free_bytes',
      'Free space on the disk of this directory.',
      ({ bavail }) => bavail,
    );
    this.registerDisk('rtms_transcoder_disk_size_bytes', 'Size of the disk of this directory.', ({ blocks }) => blocks);
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

const originKinds = ['playlist', 'segment', 'recording'] as const;
type OriginKind = (typeof originKinds)[number];

/** Counts requests for playlists, segments and recordings. */
class OriginMetrics {
  private readonly requests: Counter<'kind' | 'status_class'>;
  private readonly bytes: Counter;

  constructor(registry: MetricsRegistry) {
    this.requests = new Counter({
      name: 'rtms_transcoder_origin_requests_total',
      help: 'Requests for playlists, segments and recordings.',
      labelNames: ['kind', 'status_class'],
      registers: [registry],
    });
    for (const kind of originKinds) this.requests.inc({ kind, status_class: '2xx' }, 0);
    this.bytes = new Counter({
      name: 'rtms_transcoder_origin_bytes_total',
      help: 'Bytes of the responses to these requests, with headers.',
      registers: [registry],
    });
  }

  follow(http: HttpMetrics): void {
    http.onDone(done => this.count(done));
  }

  private count({ path, status, bytes }: DoneHttpRequest): void {
    const kind = originKindOf(path);
    if (!kind) return;
    this.requests.inc({ kind, status_class: statusClass(status) });
    this.bytes.inc(bytes);
  }
}

function originKindOf(path: string): OriginKind | undefined {
  if (path.startsWith('/recordings/')) return 'recording';
  if (!path.startsWith('/hls/')) return undefined;
  return path.endsWith('.m3u8') ? 'playlist' : 'segment';
}
