import { Inject, Injectable } from '@nestjs/common';
import type { Clock, Timer } from '@rtms/clock';
import {
  ingestCommands,
  type CallEncoderRequest,
  type IngestDiagnosis,
  type IngestInventory,
  type Nothing,
  type OpenedIngest,
  type OpenIngestRequest,
} from '@rtms/contracts';
import { inspectFfmpeg, type Ffmpeg } from '@rtms/ffmpeg';
import { CLOCK, EPOCH, NodeWork, OnCommand } from '@rtms/node';
import { EncodersService } from './encoders.service.js';
import { INGEST_CONFIG, type IngestConfig } from './ingest.config.js';

/** The gateway may have ended sessions, or this node may have restarted. */
const compareEveryMs = 5_000;

/**
 * The work of an ingest node: connected encoders. During a drain they continue until the drain time is over. Waiting SRT addresses
 * do not count: their encoders may never come.
 */
@Injectable()
export class IngestWork extends NodeWork {
  readonly drainTimes;
  private timer: Timer | undefined;
  private comparing: Promise<void> = Promise.resolve();
  private isComparing = false;

  constructor(
    @Inject(INGEST_CONFIG) private readonly config: IngestConfig,
    @Inject(EPOCH) private readonly epoch: number,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly encoders: EncodersService,
  ) {
    super();
    this.drainTimes = { drainSeconds: config.drainSeconds, lingerSeconds: 0 };
  }

  load(): { load: number; capacity: number } {
    return { load: this.encoders.load, capacity: this.config.maxEncoders };
  }

  async start(): Promise<void> {
    await this.encoders.start();
    this.compare();
    this.timer = this.clock.every(compareEveryMs, () => this.compare());
  }

  isEmpty(): boolean {
    return this.encoders.isIdle;
  }

  endAll(): Promise<void> {
    return this.encoders.dropAll();
  }

  async close(): Promise<void> {
    this.timer?.cancel();
    await this.encoders.close();
    await this.comparing;
  }

  @OnCommand(ingestCommands.open)
  open(request: OpenIngestRequest): Promise<OpenedIngest> {
    return this.encoders.open(request);
  }

  @OnCommand(ingestCommands.call)
  call(request: CallEncoderRequest): Promise<Nothing> {
    return this.encoders.call(request);
  }

  @OnCommand(ingestCommands.inventory)
  inventory(): IngestInventory {
    return { epoch: this.epoch, sessions: this.encoders.inventory() };
  }

  @OnCommand(ingestCommands.diagnose)
  async diagnose(): Promise<IngestDiagnosis> {
    const { ffmpegPath } = this.config;
    const { version, missingParts } = await inspectFfmpeg(ffmpegPath ?? 'ffmpeg').then(
      ffmpeg => ({ version: ffmpeg.version, missingParts: missingPartsOf(ffmpeg) }),
      () => ({ version: '', missingParts: ['FFmpeg'] }),
    );
    return {
      measuredAt: new Date(this.clock.now()).toISOString(),
      ffmpegVersion: version,
      missingParts,
      ports: this.encoders.ports(),
    };
  }

  private compare(): void {
    if (this.isComparing) return;
    this.isComparing = true;
    this.comparing = this.encoders.compare().finally(() => (this.isComparing = false));
  }
}

/** The parts that an ingest node needs and that this FFmpeg does not have. Builds from npm have no SRT. */
export function missingPartsOf({ protocols, encoders }: Pick<Ffmpeg, 'protocols' | 'encoders'>): string[] {
  const found = { srt: protocols.has('srt'), libopus: encoders.has('libopus') };
  return Object.entries(found).flatMap(([name, isThere]) => (isThere ? [] : [name]));
}
