import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpMetrics, MetricsRegistry, type Sample } from '@rtms/health';
import { Counter } from 'prom-client';
import { MEDIA_ENGINE, type MediaEngine } from '../media/media-engine.js';
import { NodeRelaying } from '../relay/node-relaying.js';
import { Audiences } from '../rooms/audiences.js';
import { RoomRegistry } from '../rooms/room-registry.js';
import { ViewerSamples } from '../samples/viewer-samples.js';
import { registerMediaMetrics } from './media-metrics.js';
import { processUsage, type ProcessUsage } from './process-usage.js';

/** The metrics of rooms and media workers on this node; docs/metrics.md explains them. */
@Injectable()
export class SfuMetricsService implements OnModuleInit {
  constructor(
    @Inject(MEDIA_ENGINE) private readonly engine: MediaEngine,
    private readonly rooms: RoomRegistry,
    private readonly audiences: Audiences,
    private readonly relaying: NodeRelaying,
    private readonly viewerSamples: ViewerSamples,
    private readonly registry: MetricsRegistry,
    private readonly http: HttpMetrics,
  ) {}

  onModuleInit(): void {
    this.registerRooms();
    this.registerViewers();
    this.registerCapacity();
    this.registerWorkers();
    this.countSignalling();
    registerMediaMetrics(this.registry, this.engine.statistics);
  }

  private registerRooms(): void {
    const { engine, rooms } = this;
    const gauge = (name: string, help: string, read: () => number): void => this.registry.gauge({ name, help, read });
    gauge('rtms_sfu_pipes', 'Tracks that are piped to another router.', () => engine.status().pipes);
    gauge('rtms_sfu_workers', 'Running media workers.', () => engine.status().workers.length);
    gauge('rtms_sfu_rooms', 'Rooms on this node.', () => rooms.list().length);
    gauge('rtms_sfu_sessions', 'External sessions on this node.', () => rooms.sessions().length);
    gauge('rtms_sfu_viewers', 'WHEP viewers of rooms on this node.', () =>
      rooms.playbacks().reduce((sum, playback) => sum + playback.listViewers().length, 0),
    );
    gauge(
      'rtms_sfu_relayed_viewers',
      'WHEP viewers of rooms on other nodes that this node serves.',
      () => this.relaying.host.viewerCount,
    );
    gauge(
      'rtms_sfu_members',
      'Members with media on this node.',
      () => rooms.members().filter(({ member }) => !member.session).length,
    );
    this.registry.counter({
      name: 'rtms_sfu_viewers_refused_total',
      help: 'WHEP viewers that a limit refused.',
      labels: ['limit'],
      read: () => Object.entries(this.audiences.refusals).map(([limit, value]) => ({ labels: { limit }, value })),
    });
  }

  private registerViewers(): void {
    const { registry, viewerSamples } = this;
    registry.counter({
      name: 'rtms_sfu_viewer_samples_total',
      help: 'Samples of WHEP viewers by the part that is at fault for a poor picture.',
      labels: ['fault'],
      read: () => Object.entries(viewerSamples.verdicts).map(([fault, value]) => ({ labels: { fault }, value })),
    });
    registry.counter({
      name: 'rtms_sfu_viewer_frozen_seconds_total',
      help: 'Estimated time in which WHEP viewers saw no new picture.',
      read: () => viewerSamples.frozenMs / 1_000,
    });
  }

  private registerCapacity(): void {
    const { engine, registry } = this;
    registry.gauge({
      name: 'rtms_sfu_consumers_per_worker_limit',
      help: 'Viewer tracks that one media worker serves at most.',
      read: () => engine.status().consumersPerWorker,
    });
    registry.gauge({
      name: 'rtms_sfu_worker_cpu_limit',
      help: 'Share of its core up to which a media worker accepts viewers.',
      read: () => engine.status().workerCpuLimit,
    });
    registry.gauge({
      name: 'rtms_sfu_consumers_utilization',
      help: 'Share of all viewer tracks that this node can serve, 0 to 1.',
      read: () => engine.load().consumers / engine.load().capacity,
    });
    registry.gauge({
      name: 'rtms_sfu_utilization',
      help: 'Used share of the viewer tracks or of the CPU limit, whichever is larger, 0 to 1.',
      read: () => engine.load().utilization,
    });
    registry.gauge({
      name: 'rtms_sfu_seconds_until_full',
      help: 'Seconds until the CPU limit at the growth of the last minute, at most 3600.',
      read: () => engine.load().secondsUntilFull,
    });
  }

  private registerWorkers(): void {
    const labels = ['worker'];
    this.registry.counter({
      name: 'rtms_sfu_worker_deaths_total',
      help: 'Media workers that died.',
      read: () => this.engine.status().deaths,
    });
    this.registry.gauge({
      name: 'rtms_sfu_consumers',
      help: 'Viewer tracks that a media worker sends.',
      labels,
      read: () =>
        this.engine
          .status()
          .workers.map(({ slot, consumers }) => ({ labels: { worker: String(slot) }, value: consumers })),
    });
    this.registry.gauge({
      name: 'rtms_sfu_worker_utilization',
      help: 'Share of its core that a media worker uses, smoothed.',
      labels,
      read: () =>
        this.engine
          .status()
          .workers.map(({ slot, utilization }) => ({ labels: { worker: String(slot) }, value: utilization })),
    });
    this.registry.counter({
      name: 'rtms_sfu_worker_cpu_seconds_total',
      help: 'Processor time of the media worker. Starts at 0 with each new worker.',
      labels,
      read: () => this.usage(({ cpuSeconds }) => cpuSeconds),
    });
    this.registry.gauge({
      name: 'rtms_sfu_worker_resident_bytes',
      help: 'Memory of the media worker.',
      labels,
      read: () => this.usage(({ residentBytes }) => residentBytes),
    });
  }

  private async usage(pick: (usage: ProcessUsage) => number): Promise<Sample[]> {
    const { workers } = this.engine.status();
    const usages = await Promise.all(workers.map(({ pid }) => processUsage(pid)));
    return usages.flatMap((usage, at) =>
      usage ? [{ labels: { worker: String(workers[at]?.slot) }, value: pick(usage) }] : [],
    );
  }

  private countSignalling(): void {
    const counter = new Counter({
      name: 'rtms_sfu_signalling_total',
      help: 'WHIP and WHEP requests by outcome.',
      labelNames: ['protocol', 'outcome'],
      registers: [this.registry],
    });
    for (const protocol of ['whip', 'whep'])
      for (const outcome of ['ok', 'refused', 'failed']) counter.inc({ protocol, outcome }, 0);
    this.http.onDone(({ path, status }) => {
      const protocol = /^\/(whip|whep)\//.exec(path)?.[1];
      if (protocol) counter.inc({ protocol, outcome: outcomeOf(status) });
    });
  }
}

function outcomeOf(status: number): 'ok' | 'refused' | 'failed' {
  if (status < 400) return 'ok';
  return status < 500 ? 'refused' : 'failed';
}
