import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@rtms/clock';
import type { FactBody, MediaKind } from '@rtms/contracts';
import { DrainState } from '@rtms/node';
import { createLogger } from '@rtms/logging';
import { EventLog, ManualClock, memoryBus } from '@rtms/testing';
import { MemorySegmentStore } from '../src/delivery/testing/memory-segment-store.js';
import { PresentationRegistry } from '../src/delivery/presentation-registry.js';
import { BroadcastsService } from '../src/jobs/hls/broadcasts.service.js';
import type { Encoder } from '../src/encoder/encoder.js';
import { slateLoader } from '../src/jobs/hls/slate/slate-image.js';
import { FfmpegEncoder } from '../src/encoder/ffmpeg/ffmpeg-encoder.js';
import { findFfmpeg, type Ffmpeg } from '@rtms/ffmpeg';
import { SourceFeed } from '../src/rtp/source-feed.js';
import { FakeSfu, type CreateSource } from './fake-sfu.js';

export const sfuNodeID = 'sfu-1';

let inspected: Promise<Ffmpeg> | undefined;

/** The system's FFmpeg. It is inspected once a process, because that takes four starts. */
export function systemFfmpeg(): Promise<Ffmpeg> {
  return (inspected ??= findFfmpeg());
}

/** A transcoder's jobs on a memory bus, with a fake SFU node that sends the media of the test. */
export async function openBroadcastBench(createSource: CreateSource, encoder?: Encoder) {
  const directory = await mkdtemp(join(tmpdir(), 'rtms-transcoder-'));
  const bus = await memoryBus();
  const sfu = await FakeSfu.open(bus, sfuNodeID, createSource);
  const store = new MemorySegmentStore();
  const registry = new PresentationRegistry(systemClock);
  const facts = new EventLog<{ broadcastID: string; body: FactBody }>();
  const logger = createLogger({ service: 'transcoder', level: process.env['LOG_LEVEL'] ?? 'silent' });
  const reports = {
    report: (broadcastID: string, body: FactBody) => facts.add({ broadcastID, body }),
    forget: () => undefined,
  };
  const drain = new DrainState();
  const parts = {
    loadSlate: slateLoader(await systemFfmpeg(), systemClock),
    bus,
    drain,
    store,
    registry,
    reports,
    logger,
    freeBytes: () => Promise.resolve(Infinity),
    clock: systemClock,
    openFeed: SourceFeed.opener({ listenIP: '127.0.0.1', announcedIP: '127.0.0.1' }, systemClock),
    // The clock of FFmpeg stands still: on a busy machine it may need longer to finish than the encoder waits.
    encoder: encoder ?? new FfmpegEncoder(await systemFfmpeg(), directory, new ManualClock()),
  };
  const broadcasts = new BroadcastsService(parts, {
    origin: { internalUrl: 'http://127.0.0.1:4002' },
    mediaDirectory: directory,
    maxBroadcasts: 50,
    presentation: { segmentSeconds: 1, windowSegments: 10 },
    dvr: { maxBytes: 10_000_000, maxAccountBytes: 5_000_000 },
  });
  const close = async () => {
    await broadcasts.close();
    await registry.close();
    await sfu.close();
    await bus.close();
    await rm(directory, { recursive: true, force: true });
  };
  /** Resolves once the broadcast is reported as active, also if it was before the call. */
  const becomesActive = () => facts.find(({ body }) => body.type === 'broadcast.active');
  return { bus, sfu, store, registry, facts, becomesActive, broadcasts, directory, close };
}

export function startRequest(broadcastID = 'bcast_1', tracks: MediaKind[] = ['audio', 'video']) {
  const roomExpiresAt = new Date(Date.now() + 3_600_000).toISOString();
  return { broadcastID, meetingID: 'room_1', sourceID: 'ext_1', sfuNodeID, tracks, roomExpiresAt };
}

/** ffprobe's JSON of bytes, e.g. an init segment followed by a media segment. */
export function probe(bytes: Buffer, ...options: string[]): ProbeResult {
  const args = ['-v', 'error', '-of', 'json', '-show_streams', '-show_format', ...options, '-i', 'pipe:0'];
  const { stdout, stderr } = spawnSync('ffprobe', args, { input: bytes, maxBuffer: 64 * 1024 * 1024 });
  if (stdout.length < 5) throw new Error(`ffprobe could not read ${bytes.length} bytes: ${stderr.toString()}`);
  return JSON.parse(stdout.toString()) as ProbeResult;
}

/** The first and the last picture of an init segment and its media segment, scaled to 8×8 pixels of three bytes: red, green, blue. */
export function picturesOf(bytes: Buffer): { first: Buffer; last: Buffer } {
  const args = [
    '-v',
    'error',
    '-i',
    'pipe:0',
    '-vf',
    'scale=8:8:flags=area',
    '-pix_fmt',
    'rgb24',
    '-f',
    'rawvideo',
    'pipe:1',
  ];
  const { stdout, stderr } = spawnSync('ffmpeg', args, { input: bytes, maxBuffer: 64 * 1024 * 1024 });
  if (stdout.length < 192) throw new Error(`FFmpeg could not decode ${bytes.length} bytes: ${stderr.toString()}`);
  return { first: stdout.subarray(0, 192), last: stdout.subarray(-192) };
}

export interface ProbeResult {
  streams: {
    codec_name: string;
    profile?: string;
    width?: number;
    height?: number;
    avg_frame_rate?: string;
    sample_rate?: string;
    channels?: number;
  }[];
  format: { tags?: Record<string, string> };
  packets?: { pts_time: string; flags: string; duration_time: string }[];
}
