import { join } from 'node:path';
import { Module, type DynamicModule, type FactoryProvider, type Provider } from '@nestjs/common';
import { NatsBus, type Bus, type Closeable } from '@rtms/bus';
import { systemClock, type Clock } from '@rtms/clock';
import {
  DrainState,
  FactOutbox,
  HealthModule,
  LeaseKeeper,
  LeaseThread,
  logLeaseOutage,
  type HealthOptions,
  type KeepLease,
} from '@rtms/health';
import type { Logger } from '@rtms/logging';
import { TokenVerifier } from '@rtms/tokens';
import { Drain } from './commands/drain.js';
import type { DeliveryOptions } from './delivery/delivery-options.js';
import { DeliveryModule } from './delivery/delivery.module.js';
import { Diagnosis, type DiagnosisOptions } from './diagnosis/diagnosis.js';
import { DiskSegmentStore } from './delivery/disk-segment-store.js';
import { PresentationRegistry } from './delivery/presentation-registry.js';
import { SEGMENT_STORE, type SegmentStore } from './delivery/segment-store.js';
import { BroadcastsService } from './jobs/broadcasts.service.js';
import type { Encoder } from './jobs/encoder/encoder.js';
import { FfmpegEncoder } from './jobs/encoder/ffmpeg-encoder.js';
import { FfmpegRecorder } from './jobs/encoder/ffmpeg-recorder.js';
import { limitMemory } from './jobs/encoder/ffmpeg-launch.js';
import { findFfmpeg } from './jobs/encoder/find-ffmpeg.js';
import { SourceFeed } from './jobs/source-feed.js';
import { emptyDirectory } from './jobs/encoder/work-directory.js';
import type { Recorder } from './recordings/recorder.js';
import { RecordingsService } from './recordings/recordings.service.js';
import { openRecordingStore } from './recordings/store/open-recording-store.js';
import { RECORDING_STORE, type RecordingStore } from './recordings/store/recording-store.js';
import { canWrite, freeBytes } from './disk.js';
import { EncoderCounts } from './metrics/encoder-counts.js';
import { TranscoderMetrics } from './metrics/transcoder-metrics.service.js';
import { NodeLifecycle } from './node-lifecycle.js';
import type { TranscoderConfig } from './transcoder.config.js';
import { BUS, CLOCK, EPOCH, KEEP_LEASE, LOGGER, TRACING, TRANSCODER_CONFIG } from './transcoder.tokens.js';

/** The parts that a node is built from; a test gives other parts. */
export interface TranscoderParts {
  config: TranscoderConfig;
  logger: Logger;
  bus: Bus;
  encoder: Encoder;
  ffmpegPath: string;
  store: SegmentStore;
  recorder: Recorder;
  recordingStore: RecordingStore;
  clock: Clock;
  /** Default: on the event loop. */
  keepLease?: KeepLease;
  /** Closed after everything else. */
  tracing?: Closeable;
}

/** NATS, FFmpeg and the disk, as configured. */
export async function connectParts(config: TranscoderConfig, logger: Logger): Promise<TranscoderParts> {
  const clock = systemClock;
  const found = await findFfmpeg(config.ffmpegPath);
  const ffmpeg = config.ffmpegMemoryBytes === 0 ? found : await limitMemory(found, config.ffmpegMemoryBytes);
  logger.info({ path: ffmpeg.path, version: ffmpeg.version }, 'FFmpeg found');
  const work = join(config.mediaDirectory, 'work');
  await emptyDirectory(work);
  const store = await DiskSegmentStore.open(join(config.mediaDirectory, 'segments'));
  const bus = await NatsBus.connect({
    ...config.bus,
    name: config.nodeID,
    clock,
    service: 'transcoder',
    provision: 'await',
    onProblem: err => logger.warn({ err }, 'the bus reports a problem'),
    onWaiting: stream => logger.info({ stream }, 'waiting for a gateway to make a stream'),
  });
  const recordingStore = await openRecordingStore(config.recordings);
  const [encoder, recorder] = [new FfmpegEncoder(ffmpeg, work, clock), new FfmpegRecorder(ffmpeg, clock)];
  const thread = { nodeID: config.nodeID, service: 'transcoder' as const, clock, logger };
  const keepLease: KeepLease = currentLease => new LeaseThread({ ...thread, currentLease });
  return { config, logger, bus, store, encoder, ffmpegPath: ffmpeg.path, recorder, recordingStore, clock, keepLease };
}

const untraced: Closeable = { close: () => Promise.resolve() };

/** The jobs and the HLS origin on these parts. */
@Module({})
export class TranscoderModule {
  static forRoot(parts: TranscoderParts): DynamicModule {
    const { config, logger, bus, store, recordingStore: recordings, clock } = parts;
    const verifier = new TokenVerifier(clock);
    const epoch = clock.now();
    const counts = new EncoderCounts();
    const drain = new DrainState();
    const keepLease: KeepLease =
      parts.keepLease ??
      (currentLease => new LeaseKeeper(bus, currentLease, clock, { report: outage => logLeaseOutage(logger, outage) }));
    const delivery: DeliveryOptions = {
      ...{ store, recordings, bus, verifier, clock },
      ...{ internalUrl: config.internalUrl, nodeID: config.nodeID },
    };
    const providers: Provider[] = [
      { provide: TRANSCODER_CONFIG, useValue: config },
      { provide: LOGGER, useValue: logger },
      { provide: BUS, useValue: bus },
      { provide: CLOCK, useValue: clock },
      { provide: TRACING, useValue: parts.tracing ?? untraced },
      { provide: EPOCH, useValue: epoch },
      { provide: KEEP_LEASE, useValue: keepLease },
      { provide: TokenVerifier, useValue: verifier },
      { provide: FactOutbox, useValue: new FactOutbox(bus, { nodeID: config.nodeID, epoch }, logger, clock) },
      { provide: DrainState, useValue: drain },
      { provide: RECORDING_STORE, useValue: recordings },
      { provide: EncoderCounts, useValue: counts },
      broadcastsProvider({ ...parts, encoder: counts.ofEncoder(parts.encoder) }),
      recordingsProvider({ ...parts, recorder: counts.ofRecorder(parts.recorder) }),
      drainProvider(parts),
      { provide: Diagnosis, useValue: new Diagnosis(diagnosedBy(parts)) },
    ];
    return {
      module: TranscoderModule,
      imports: [HealthModule.forRoot(healthOf(parts)), DeliveryModule.forRootAsync({ useFactory: () => delivery })],
      providers: [...providers, TranscoderMetrics, NodeLifecycle],
    };
  }
}

function diagnosedBy({ config, ffmpegPath, clock }: TranscoderParts): DiagnosisOptions {
  const { mediaDirectory, recordings } = config;
  return { ffmpegPath, mediaDirectory, recordingsDirectory: recordings.directory, clock };
}

function healthOf({ config, bus, encoder }: TranscoderParts): HealthOptions {
  const directories = [config.mediaDirectory, config.recordings.directory];
  return {
    checks: {
      bus: () => bus.isConnected(),
      ffmpeg: () => encoder.isUsable(),
      disk: () => canWrite(directories),
    },
    hidesMetrics: config.managementPort !== undefined,
    mounts: ['/hls', '/recordings'],
  };
}

function broadcastsProvider({ config, bus, encoder, clock, logger }: TranscoderParts): FactoryProvider {
  const { internalUrl, mediaDirectory, maxBroadcasts, segmentSeconds, windowSegments, rtp } = config;
  const openFeed = SourceFeed.opener(rtp, clock);
  const presentation = { segmentSeconds, windowSegments };
  return {
    provide: BroadcastsService,
    inject: [SEGMENT_STORE, PresentationRegistry, FactOutbox, DrainState],
    useFactory: (store: SegmentStore, registry: PresentationRegistry, reports: FactOutbox, drain: DrainState) =>
      new BroadcastsService(
        { bus, encoder, store, registry, reports, drain, freeBytes, openFeed, clock, logger },
        { internalUrl, mediaDirectory, maxBroadcasts, presentation },
      ),
  };
}

/** Shorter than what a supervisor waits for before it kills. */
const closeTimeoutMs = 8_000;

function recordingsProvider({
  config,
  bus,
  recorder,
  recordingStore: store,
  clock,
  logger,
}: TranscoderParts): FactoryProvider {
  const { rtp, recordings } = config;
  const openFeed = SourceFeed.opener(rtp, clock);
  const { maxRecordings, directory } = recordings;
  const workDirectory = join(directory, 'work', config.nodeID);
  return {
    provide: RecordingsService,
    inject: [FactOutbox, DrainState],
    useFactory: (reports: FactOutbox, drain: DrainState) =>
      new RecordingsService(
        { bus, recorder, store, reports, drain, freeBytes, openFeed, clock, logger },
        { workDirectory, maxRecordings, closeTimeoutMs },
      ),
  };
}

function drainProvider({ config, clock }: TranscoderParts): FactoryProvider {
  const { drainSeconds, segmentSeconds, windowSegments } = config;
  const times = { drainSeconds, lingerSeconds: segmentSeconds * windowSegments + 1 };
  return {
    provide: Drain,
    inject: [DrainState, BroadcastsService, RecordingsService],
    useFactory: (state: DrainState, broadcasts: BroadcastsService, recordings: RecordingsService) =>
      new Drain({ state, broadcasts, recordings, times, clock }),
  };
}
