import { join } from 'node:path';
import { Module, type DynamicModule, type FactoryProvider, type Provider } from '@nestjs/common';
import { NatsBus, type Bus } from '@rtms/bus';
import { FactOutbox, HealthModule } from '@rtms/health';
import type { Logger } from '@rtms/logging';
import { TokenVerifier } from '@rtms/tokens';
import type { DeliveryOptions } from './delivery/delivery-options.js';
import { DeliveryModule } from './delivery/delivery.module.js';
import { DiskSegmentStore } from './delivery/disk-segment-store.js';
import { PresentationRegistry } from './delivery/presentation-registry.js';
import { SEGMENT_STORE, type SegmentStore } from './delivery/segment-store.js';
import { BroadcastsService } from './jobs/broadcasts.service.js';
import type { Encoder } from './jobs/encoder/encoder.js';
import { FfmpegEncoder } from './jobs/encoder/ffmpeg-encoder.js';
import { findFfmpeg } from './jobs/encoder/find-ffmpeg.js';
import { emptyDirectory } from './jobs/encoder/work-directory.js';
import { NodeLifecycle } from './node-lifecycle.js';
import type { TranscoderConfig } from './transcoder.config.js';
import { BUS, EPOCH, LOGGER, TRANSCODER_CONFIG } from './transcoder.tokens.js';

/** What a node stands on; a test gives other ones. */
export interface TranscoderParts {
  config: TranscoderConfig;
  logger: Logger;
  bus: Bus;
  encoder: Encoder;
  store: SegmentStore;
}

/** NATS, FFmpeg and the disk, as configured. */
export async function connectParts(config: TranscoderConfig, logger: Logger): Promise<TranscoderParts> {
  const ffmpeg = await findFfmpeg(config.ffmpegPath);
  logger.info({ path: ffmpeg.path, version: ffmpeg.version }, 'FFmpeg found');
  const work = join(config.mediaDirectory, 'work');
  await emptyDirectory(work);
  const store = await DiskSegmentStore.open(join(config.mediaDirectory, 'segments'));
  const bus = await NatsBus.connect({ url: config.natsUrl, name: config.nodeID });
  return { config, logger, bus, store, encoder: new FfmpegEncoder(ffmpeg, work) };
}

/** The jobs and the HLS origin on these parts. */
@Module({})
export class TranscoderModule {
  static forRoot(parts: TranscoderParts): DynamicModule {
    const { config, logger, bus, store } = parts;
    const verifier = new TokenVerifier();
    const epoch = Date.now();
    const delivery: DeliveryOptions = { store, bus, verifier, internalUrl: config.internalUrl };
    const providers: Provider[] = [
      { provide: TRANSCODER_CONFIG, useValue: config },
      { provide: LOGGER, useValue: logger },
      { provide: BUS, useValue: bus },
      { provide: EPOCH, useValue: epoch },
      { provide: TokenVerifier, useValue: verifier },
      { provide: FactOutbox, useValue: new FactOutbox(bus, { nodeID: config.nodeID, epoch }, logger) },
      broadcastsProvider(parts),
    ];
    return {
      module: TranscoderModule,
      imports: [
        HealthModule.forRoot({ checks: { bus: () => bus.isConnected() } }),
        DeliveryModule.forRootAsync({ useFactory: () => delivery }),
      ],
      providers: [...providers, NodeLifecycle],
    };
  }
}

function broadcastsProvider({ config, bus, encoder, logger }: TranscoderParts): FactoryProvider {
  const { internalUrl, maxBroadcasts, segmentSeconds, windowSegments, rtp: feed } = config;
  const presentation = { segmentSeconds, windowSegments };
  return {
    provide: BroadcastsService,
    inject: [SEGMENT_STORE, PresentationRegistry, FactOutbox],
    useFactory: (store: SegmentStore, registry: PresentationRegistry, reports: FactOutbox) =>
      new BroadcastsService(
        { bus, encoder, store, registry, reports, logger },
        { internalUrl, maxBroadcasts, presentation, feed },
      ),
  };
}
