import { Inject, Injectable } from '@nestjs/common';
import { transcoderCommands, type TranscoderInventory } from '@rtms/contracts';
import { EPOCH, NodeWork, OnCommand } from '@rtms/node';
import { PresentationRegistry } from './delivery/presentation-registry.js';
import { SEGMENT_STORE, type SegmentStore } from './delivery/stores/segment-store.js';
import { BroadcastsService } from './jobs/hls/broadcasts.service.js';
import { RecordingsService } from './jobs/recordings/recordings.service.js';
import { RepairsService } from './jobs/repairs/repairs.service.js';
import { RestreamsService } from './jobs/restreams/restreams.service.js';
import {
  HLS_STORE,
  RECORDING_STORE,
  STORYBOARD_STORE,
  type RecordingStore,
} from './delivery/stores/recording-store.js';
import { TRANSCODER_CONFIG, type TranscoderConfig } from './transcoder.config.js';

/**
 * The work of a transcoder: broadcasts, recordings and restreams. During a drain the gateway moves broadcasts and restreams to
 * other nodes, and recordings continue until the drain time is over.
 */
@Injectable()
export class TranscoderWork extends NodeWork {
  readonly drainTimes;

  constructor(
    @Inject(TRANSCODER_CONFIG) private readonly config: TranscoderConfig,
    @Inject(EPOCH) private readonly epoch: number,
    @Inject(SEGMENT_STORE) private readonly store: SegmentStore,
    @Inject(RECORDING_STORE) private readonly recordingStore: RecordingStore,
    @Inject(STORYBOARD_STORE) private readonly storyboardStore: RecordingStore,
    @Inject(HLS_STORE) private readonly hlsStore: RecordingStore,
    readonly broadcasts: BroadcastsService,
    readonly recordings: RecordingsService,
    readonly restreams: RestreamsService,
    readonly repairs: RepairsService,
    private readonly registry: PresentationRegistry,
  ) {
    super();
    const { drainSeconds, segmentSeconds, windowSegments } = config;
    this.drainTimes = { drainSeconds, lingerSeconds: segmentSeconds * windowSegments + 1 };
  }

  load(): { load: number; capacity: number; composes: string[] } {
    const composes = ['recordings', 'broadcasts', 'files'];
    return { load: nodeLoad(this), capacity: this.config.maxBroadcasts, composes };
  }

  start(): Promise<void> {
    return this.recordings.recover();
  }

  isEmpty(): boolean {
    return this.broadcasts.isIdle && this.recordings.isIdle && this.restreams.load === 0 && this.repairs.isIdle;
  }

  async endAll(): Promise<void> {
    await Promise.all(this.jobs.map(jobs => jobs.leaveAll()));
  }

  async close(): Promise<void> {
    await Promise.all(this.jobs.map(jobs => jobs.close()));
    await this.registry.close();
    await this.store.close();
    await this.recordingStore.close();
    await this.storyboardStore.close();
    await this.hlsStore.close();
  }

  private get jobs() {
    return [this.broadcasts, this.recordings, this.restreams, this.repairs];
  }

  @OnCommand(transcoderCommands.inventory)
  inventory(): TranscoderInventory {
    const { epoch, broadcasts, recordings, restreams, repairs } = this;
    const jobs = { broadcasts: broadcasts.inventory(), recordings: recordings.inventory() };
    return { epoch, ...jobs, restreams: restreams.inventory(), repairs: repairs.inventory() };
  }

  @OnCommand(transcoderCommands.recordingOrigin)
  recordingOrigin(): { internalUrl: string } {
    return { internalUrl: this.config.internalUrl };
  }
}

/** A restream copies its video, and a repair encodes one rendition: the share of a broadcast's place that each takes. */
const shares = { restream: 0.1, repair: 0.25 };

interface Loaded {
  readonly load: number;
}

interface Jobs {
  broadcasts: Loaded;
  recordings: { readonly places: number };
  restreams: Loaded;
  repairs: Loaded;
}

/** Returns the used broadcast places of the node. */
export function nodeLoad({ broadcasts, recordings, restreams, repairs }: Jobs): number {
  return broadcasts.load + recordings.places + restreams.load * shares.restream + repairs.load * shares.repair;
}
