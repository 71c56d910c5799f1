import { join } from 'node:path';
import { Module, type DynamicModule, type FactoryProvider } from '@nestjs/common';
import { systemClock } from '@rtms/clock';
import type { BroadcastOrigin } from '@rtms/contracts';
import { connectBus, DrainState, FactOutbox, mediaNodeModule, type NodeParts } from '@rtms/node';
import type { Logger } from '@rtms/logging';
import { TokenVerifier } from '@rtms/tokens';
import { DeliveryModule } from './delivery/delivery.module.js';
import { newNodeKey } from './delivery/routing/origin-proxy.js';
import { Diagnosis, type DiagnosisOptions } from './encoder/diagnosis.js';
import { DiskSegmentStore } from './delivery/stores/disk-segment-store.js';
import { PresentationRegistry } from './delivery/presentation-registry.js';
import { SEGMENT_STORE, type SegmentStore } from './delivery/stores/segment-store.js';
import { BroadcastsService } from './jobs/hls/broadcasts.service.js';
import { slateLoader } from './jobs/hls/slate/slate-image.js';
import type { Encoder } from './encoder/encoder.js';
import { FfmpegEncoder } from './encoder/ffmpeg/ffmpeg-encoder.js';
import { FfmpegRecorder } from './encoder/ffmpeg/ffmpeg-recorder.js';
import { findFfmpeg, type Ffmpeg } from '@rtms/ffmpeg';
import { SourceFeed } from './rtp/source-feed.js';
import { emptyDirectory } from './encoder/ffmpeg/work-directory.js';
import type { Recorder } from './encoder/recorder.js';
import { FfmpegSender } from './sending/ffmpeg-sender.js';
import type { Sender } from './sending/sender.js';
import { SenderOfProtocol, WhipSender } from './sending/whip-sender.js';
import { UnfinishedRecordings } from './jobs/recordings/unfinished-recordings.js';
import { RecordingsService } from './jobs/recordings/recordings.service.js';
import { repairer } from './encoder/ffmpeg/ffmpeg-repairer.js';
import { BroadcastFeed } from './jobs/restreams/broadcast-feed.js';
import { RestreamsService } from './jobs/restreams/restreams.service.js';
import { HlsFiles } from './jobs/thumbnails/hls-files.js';
import { Storyboards } from './jobs/thumbnails/storyboards.js';
import { RepairsService } from './jobs/repairs/repairs.service.js';
import { Thumbnails } from './jobs/thumbnails/thumbnails.js';
import { DiskPieceStore } from './delivery/stores/disk-piece-store.js';
import type { PieceStore } from './delivery/stores/piece-store.js';
import { DiskRecordingStore } from './delivery/stores/disk-recording-store.js';
import {
  HLS_STORE,
  RECORDING_STORE,
  STORYBOARD_STORE,
  type RecordingStore,
} from './delivery/stores/recording-store.js';
import { canWrite, freeBytes } from './disk.js';
import { EncoderCounts } from './metrics/encoder-counts.js';
import { TranscoderMetrics } from './metrics/transcoder-metrics.js';
import { TranscoderWork } from './transcoder-work.js';
import { TRANSCODER_CONFIG, type TranscoderConfig } from './transcoder.config.js';

/** The parts of a transcoder. Tests pass their own. */
export interface TranscoderParts extends NodeParts {
  config: TranscoderConfig;
  encoder: Encoder;
  ffmpeg: Ffmpeg;
  store: SegmentStore;
  recorder: Recorder;
  recordingStore: RecordingStore;
  sender: Sender;
  storyboardStore: RecordingStore;
  hlsStore: RecordingStore;
  /** Shared with other transcoders, which can then complete recordings of this node. */
  pieces?: PieceStore | undefined;
}

/** Opens the bus, FFmpeg and the stores of the configuration. */
export async function connectParts(config: TranscoderConfig, logger: Logger): Promise<TranscoderParts> {
  const clock = systemClock;
  const work = join(config.mediaDirectory, 'work');
  const [bus, ffmpeg, store, stores] = await Promise.all([
    connectBus(config, 'transcoder', logger),
    findFfmpeg(config.ffmpegPath, config.ffmpegMemoryBytes),
    emptyDirectory(work).then(() => DiskSegmentStore.open(join(config.mediaDirectory, 'segments'))),
    openRecordingStores(config),
  ]);
  logger.info({ path: ffmpeg.path, version: ffmpeg.version }, 'FFmpeg found');
  const hasSrt = ffmpeg.protocols.has('srt');
  const [encoder, recorder] = [new FfmpegEncoder(ffmpeg, work, clock), new FfmpegRecorder(ffmpeg, clock)];
  const sender = new SenderOfProtocol([new FfmpegSender(ffmpeg, clock, { hasSrt }), new WhipSender(ffmpeg, clock)]);
  return { config, logger, bus, store, encoder, ffmpeg, recorder, sender, ...stores, clock };
}

const storyboardExtension = 'storyboard';
const hlsExtension = 'hls';

async function openRecordingStores({
  recordings: { s3, sharedDirectory, directory },
}: TranscoderConfig): Promise<Pick<TranscoderParts, 'recordingStore' | 'storyboardStore' | 'hlsStore' | 'pieces'>> {
  if (s3) {
    // The SDK is a tenth of the CPU of a start, so only a transcoder with S3 loads it.
    const { S3PieceStore } = await import('./delivery/stores/s3-piece-store.js');
    const { S3RecordingStore, s3SilentMs } = await import('./delivery/stores/s3-recording-store.js');
    const of = (extension: string) =>
      new S3RecordingStore(s3, s3SilentMs, { extension, contentType: 'application/octet-stream' });
    const [storyboardStore, hlsStore] = [of(storyboardExtension), of(hlsExtension)];
    return { recordingStore: new S3RecordingStore(s3), storyboardStore, hlsStore, pieces: new S3PieceStore(s3) };
  }
  const storage = sharedDirectory === undefined ? 'node' : 'shared';
  const open = (folder: string, extension?: string) =>
    DiskRecordingStore.open(join(sharedDirectory ?? directory, folder), storage, systemClock, extension);
  const storyboardStore = await open('storyboards', storyboardExtension);
  const hlsStore = await open('hls', hlsExtension);
  const pieces = sharedDirectory === undefined ? undefined : new DiskPieceStore(join(sharedDirectory, 'unfinished'));
  return { recordingStore: await open('files'), storyboardStore, hlsStore, pieces };
}

/** The jobs and the HLS origin. */
@Module({})
export class TranscoderModule {
  static forRoot(parts: TranscoderParts): DynamicModule {
    const { config, bus, store, encoder, recorder, recordingStore, storyboardStore, hlsStore, clock } = parts;
    const { nodeID, internalUrl } = config;
    const directories = [config.mediaDirectory, config.recordings.directory];
    const counts = new EncoderCounts(clock);
    const verifier = new TokenVerifier(clock);
    const files = { recordings: recordingStore, storyboards: storyboardStore, hls: hlsStore };
    const origin = { internalUrl, nodeKey: newNodeKey() };
    const delivery = { store, ...files, bus, verifier, clock, ...origin, nodeID };
    return mediaNodeModule(TranscoderModule, {
      ...{ role: 'transcoder', parts, work: TranscoderWork, verifier },
      // Neither is a condition: the node still serves the segments that it holds, and those of other nodes.
      checks: {},
      reports: { ffmpeg: () => encoder.isUsable(), disk: () => canWrite(directories) },
      mounts: ['/hls', '/recordings'],
      imports: [DeliveryModule.forRootAsync({ useFactory: () => delivery })],
      providers: [
        { provide: TRANSCODER_CONFIG, useValue: config },
        { provide: RECORDING_STORE, useValue: recordingStore },
        { provide: STORYBOARD_STORE, useValue: storyboardStore },
        { provide: HLS_STORE, useValue: hlsStore },
        { provide: EncoderCounts, useValue: counts },
        broadcastsProvider({ ...parts, encoder: counts.ofEncoder(encoder) }, origin),
        recordingsProvider({ ...parts, recorder: counts.ofRecorder(recorder) }),
        restreamsProvider(parts),
        repairsProvider(parts),
        { provide: Thumbnails, useValue: thumbnailsOf(parts) },
        { provide: Diagnosis, useValue: new Diagnosis(diagnosedBy(parts)) },
        TranscoderMetrics,
      ],
    });
  }
}

function thumbnailsOf({ config: { rtp, nodeID }, bus, ffmpeg, clock }: TranscoderParts): Thumbnails {
  return new Thumbnails({ bus, openFeed: SourceFeed.opener(rtp, clock), ffmpeg, clock, nodeID });
}

function diagnosedBy({ config, ffmpeg, recordingStore, clock }: TranscoderParts): DiagnosisOptions {
  const { mediaDirectory, recordings, isPod } = config;
  const keeping = { storage: recordingStore.storage, isPod };
  const ffmpegPath = ffmpeg.path;
  return { ffmpegPath, mediaDirectory, recordingsDirectory: recordings.directory, recordings: keeping, clock };
}

function broadcastsProvider(
  { config, bus, encoder, ffmpeg, clock, logger }: TranscoderParts,
  origin: BroadcastOrigin,
): FactoryProvider {
  const { mediaDirectory, maxBroadcasts, segmentSeconds, windowSegments, dvr, rtp } = config;
  const openFeed = SourceFeed.opener(rtp, clock);
  const presentation = { segmentSeconds, windowSegments };
  const loadSlate = slateLoader(ffmpeg, clock);
  return {
    provide: BroadcastsService,
    inject: [SEGMENT_STORE, PresentationRegistry, FactOutbox, DrainState],
    useFactory: (store: SegmentStore, registry: PresentationRegistry, reports: FactOutbox, drain: DrainState) =>
      new BroadcastsService(
        { bus, encoder, store, registry, reports, drain, freeBytes, openFeed, loadSlate, clock, logger },
        { origin, mediaDirectory, maxBroadcasts, presentation, dvr },
      ),
  };
}

function restreamsProvider({ config, bus, sender, clock, logger }: TranscoderParts): FactoryProvider {
  const openFeed = SourceFeed.opener(config.rtp, clock);
  return {
    provide: RestreamsService,
    inject: [PresentationRegistry, FactOutbox, DrainState],
    useFactory: (registry: PresentationRegistry, reports: FactOutbox, drain: DrainState) => {
      const openBroadcast = BroadcastFeed.opener(registry, clock);
      const parts = { bus, sender, reports, drain, openFeed, openBroadcast, clock, logger };
      return new RestreamsService(parts, config.maxRestreams);
    },
  };
}

function repairsProvider({ config, bus, ffmpeg, clock, logger }: TranscoderParts): FactoryProvider {
  const { rtp: address, maxRepairs } = config;
  const [openFeed, startRepairer] = [SourceFeed.opener(address, clock), repairer(ffmpeg, clock)];
  return {
    provide: RepairsService,
    inject: [DrainState],
    useFactory: (drain: DrainState) =>
      new RepairsService({ bus, openFeed, startRepairer, address, drain, clock, logger }, maxRepairs),
  };
}

/** Below the 10 s that supervisors usually wait before they kill. */
const closeTimeoutMs = 8_000;

function recordingsProvider({
  config,
  bus,
  recorder,
  recordingStore: store,
  storyboardStore,
  hlsStore,
  ffmpeg,
  pieces,
  clock,
  logger,
}: TranscoderParts): FactoryProvider {
  const { rtp, recordings, nodeID } = config;
  const openFeed = SourceFeed.opener(rtp, clock);
  const { maxRecordings, maxBytes = Infinity, directory } = recordings;
  const workDirectory = join(directory, 'work', nodeID);
  const storyboards = new Storyboards({ ffmpeg, store: storyboardStore, clock, logger });
  const hls = new HlsFiles({ ffmpeg, store: hlsStore, clock, logger });
  const unfinished = pieces && new UnfinishedRecordings({ pieces, nodeID, clock, logger });
  return {
    provide: RecordingsService,
    inject: [FactOutbox, DrainState],
    useFactory: (reports: FactOutbox, drain: DrainState) =>
      new RecordingsService(
        { bus, recorder, store, storyboards, hls, unfinished, reports, drain, freeBytes, openFeed, clock, logger },
        { workDirectory, maxRecordings, maxBytes, closeTimeoutMs },
      ),
  };
}
