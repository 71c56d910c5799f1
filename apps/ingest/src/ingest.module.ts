import { Module, type DynamicModule } from '@nestjs/common';
import { systemClock } from '@rtms/clock';
import { findFfmpeg, readinessOf, type Ffmpeg } from '@rtms/ffmpeg';
import type { Logger } from '@rtms/logging';
import { connectBus, DrainState, mediaNodeModule, type NodeParts } from '@rtms/node';
import { EncodersService } from './encoders.service.js';
import { IngestMetrics } from './ingest-metrics.js';
import { IngestWork, missingPartsOf } from './ingest-work.js';
import { INGEST_CONFIG, type IngestConfig } from './ingest.config.js';

/** The parts of an ingest node. Tests pass their own. */
export interface IngestParts extends NodeParts {
  config: IngestConfig;
  ffmpeg: Ffmpeg;
}

/** Finds FFmpeg and opens the bus. An FFmpeg without SRT serves RTMP only. */
export async function connectParts(config: IngestConfig, logger: Logger): Promise<IngestParts> {
  const [bus, ffmpeg] = await Promise.all([
    connectBus(config, 'ingest', logger),
    findFfmpeg(config.ffmpegPath, config.ffmpegMemoryBytes),
  ]);
  const missing = missingPartsOf(ffmpeg);
  logger.info({ path: ffmpeg.path, version: ffmpeg.version, missing }, 'FFmpeg found');
  const hasSrt = !missing.includes('srt');
  if (config.srt && !hasSrt) logger.warn('FFmpeg does not speak SRT, so this node does not either: set FFMPEG_PATH');
  return { config: hasSrt ? config : { ...config, srt: undefined }, logger, bus, ffmpeg, clock: systemClock };
}

/** Encoders of SRT, RTMP and RTMPS. */
@Module({})
export class IngestModule {
  static forRoot(parts: IngestParts): DynamicModule {
    const { config, ffmpeg, bus, clock, logger } = parts;
    return mediaNodeModule(IngestModule, {
      ...{ role: 'ingest', parts, work: IngestWork },
      checks: {},
      reports: { ffmpeg: readinessOf(ffmpeg.path, clock) },
      mounts: [],
      providers: [
        { provide: INGEST_CONFIG, useValue: config },
        {
          provide: EncodersService,
          inject: [DrainState],
          useFactory: (drain: DrainState) =>
            new EncodersService({
              ...{ config, ffmpeg, bus, clock, logger },
              isDraining: () => drain.isDraining,
              onEnd: () => drain.noteEnd(),
            }),
        },
        IngestMetrics,
      ],
    });
  }
}
