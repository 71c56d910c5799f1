import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, open, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@rtms/clock';
import type { FactBody, MediaKind, RecordedFile } from '@rtms/contracts';
import { DrainState } from '@rtms/node';
import { createLogger } from '@rtms/logging';
import { EventLog, ManualClock, memoryBus, waitFor } from '@rtms/testing';
import { FfmpegRecorder } from '../src/encoder/ffmpeg/ffmpeg-recorder.js';
import { readBoxes } from '../src/jobs/recordings/mp4-file.js';
import { UnfinishedRecordings } from '../src/jobs/recordings/unfinished-recordings.js';
import { DiskPieceStore } from '../src/delivery/stores/disk-piece-store.js';
import { RecordingsService } from '../src/jobs/recordings/recordings.service.js';
import { HlsFiles } from '../src/jobs/thumbnails/hls-files.js';
import { Storyboards } from '../src/jobs/thumbnails/storyboards.js';
import { MemoryRecordingStore } from '../src/delivery/testing/memory-recording-store.js';
import { DiskRecordingStore } from '../src/delivery/stores/disk-recording-store.js';
import { isKeyframe, SourceFeed, type OpenFeed, type TimedFrame } from '../src/rtp/source-feed.js';
import { sfuNodeID, systemFfmpeg } from './broadcast-bench.js';
import { FakeSfu, type CreateSource } from './fake-sfu.js';

export type RecordingBench = Awaited<ReturnType<typeof openRecordingBench>>;

/** A transcoder's recordings on a memory bus, with a fake SFU node that sends the media of the test. */
export async function openRecordingBench(createSource: CreateSource, isShared = false) {
  const directory = await mkdtemp(join(tmpdir(), 'rtms-recordings-'));
  const bus = await memoryBus();
  const sfu = await FakeSfu.open(bus, sfuNodeID, createSource);
  const store = await DiskRecordingStore.open(join(directory, 'files'), isShared ? 'shared' : 'node');
  const pieces = isShared ? new DiskPieceStore(join(directory, 'unfinished')) : undefined;
  const ffmpeg = await systemFfmpeg();
  // Its clock stands still: on a busy machine FFmpeg may need longer to finish a file than a transcoder waits.
  const recorder = new FfmpegRecorder(ffmpeg, new ManualClock());
  const storyboardStore = new MemoryRecordingStore();
  const hlsStore = new MemoryRecordingStore();
  const facts = new EventLog<FactBody>();
  const logger = createLogger({ service: 'transcoder', level: process.env['LOG_LEVEL'] ?? 'silent' });
  const storyboards = new Storyboards({ ffmpeg, clock: systemClock, store: storyboardStore, logger });
  const hls = new HlsFiles({ ffmpeg, clock: systemClock, store: hlsStore, logger });
  const reports = {
    report: (_recordingID: string, body: FactBody) => facts.add(body),
    forget: () => undefined,
    flush: () => Promise.resolve(),
  };
  const received = new ReceivedMedia();
  const openSource = SourceFeed.opener({ listenIP: '127.0.0.1', announcedIP: '127.0.0.1' }, systemClock);
  const openFeed: OpenFeed = async (feedBus, request, needs, listener) => {
    const onFrame = (frame: TimedFrame) => {
      received.add(frame);
      listener.onFrame(frame);
    };
    const feed = await openSource(feedBus, request, needs, { ...listener, onFrame });
    received.begin();
    return feed;
  };
  /** A test sets a lower number to simulate a full disk. */
  const space = { freeBytes: Infinity, maxBytes: Infinity };
  const checkedSpace = new EventLog<string>();
  const freeBytes = (path: string) => {
    checkedSpace.add(path);
    return Promise.resolve(space.freeBytes);
  };
  /** Increases when a recording has ended and only its file is left. */
  const ends = new EventLog<true>();
  /** Opens the service of a node. Each node has its own disk. */
  const open = (nodeID = 'work') => {
    const drain = new DrainState();
    drain.onEnd(() => ends.add(true));
    const unfinished = pieces && new UnfinishedRecordings({ pieces, nodeID, clock: systemClock, logger });
    return new RecordingsService(
      {
        bus,
        recorder,
        store,
        storyboards,
        hls,
        unfinished,
        reports,
        drain,
        freeBytes,
        openFeed,
        clock: systemClock,
        logger,
      },
      {
        workDirectory: join(directory, nodeID),
        maxRecordings: 50,
        maxBytes: space.maxBytes,
        // Longer than a busy machine needs to store all files.
        closeTimeoutMs: 60_000,
      },
    );
  };
  const recordings = open();
  /** Resolves with the first fact of the type, also if it was reported before the call. */
  const fact = async <Type extends FactBody['type']>(type: Type) =>
    (await facts.find(body => body.type === type)) as Extract<FactBody, { type: Type }>;
  const close = async () => {
    await recordings.close();
    await sfu.close();
    await bus.close();
    await rm(directory, { recursive: true, force: true });
  };
  return {
    sfu,
    store,
    storyboardStore,
    hlsStore,
    pieces,
    recorder,
    facts,
    fact,
    received,
    recordings,
    directory,
    space,
    checkedSpace,
    ends,
    open,
    close,
  };
}

/** Opens benches, and closes them after each test. */
export function recordingBenches() {
  const opened: RecordingBench[] = [];
  afterEach(async () => {
    await Promise.all(opened.splice(0).map(bench => bench.close()));
  });
  return async (createSource: CreateSource, isShared = false): Promise<RecordingBench> => {
    const bench = await openRecordingBench(createSource, isShared);
    opened.push(bench);
    return bench;
  };
}

const clockRates: Record<MediaKind, number> = { video: 90_000, audio: 48_000 };

/** The finished file of `rec_1`, and the directory of its parts. */
export const fileOf = (bench: RecordingBench) => join(bench.directory, 'files', 'rec_1.mp4');
export const workOf = (bench: RecordingBench) => join(bench.directory, 'work', 'rec_1');

/** The fragments on the disk of a part of `rec_1`. */
export async function fragmentsOf(bench: RecordingBench, part: string): Promise<number> {
  const file = await open(join(workOf(bench), part), 'r').catch(() => undefined);
  if (!file) return 0;
  const boxes = await readBoxes(file);
  await file.close();
  return boxes.filter(box => box.type === 'mdat').length;
}

/** Resolves when a part of `rec_1` has so many fragments on the disk. */
export async function waitForMedia(bench: RecordingBench, part: string, fragments: number): Promise<void> {
  const isThere = async () => (await fragmentsOf(bench, part)) >= fragments;
  await waitFor(isThere, { what: `${fragments} fragments of ${part}` });
}

/**
 * The media that came in since the first keyframe, by the RTP timestamps of the publisher. On a busy machine a publisher
 * sends less media than time passes.
 */
class ReceivedMedia {
  private readonly tracks = new Map<MediaKind, { last: number; ticks: number }>();

  /** Waits for an open feed: a job ignores earlier media. */
  begin(): void {
    this.tracks.clear();
  }

  add(frame: TimedFrame): void {
    const { kind, rtpTimestamp } = frame;
    const track = this.tracks.get(kind);
    // A recording with video begins at its first keyframe, with its audio.
    const begins = kind === 'video' && !track && isKeyframe(frame);
    if (begins) this.tracks.delete('audio');
    if (!track) {
      if (kind === 'audio' || begins) this.tracks.set(kind, { last: rtpTimestamp, ticks: 0 });
      return;
    }
    // Timestamps have 32 bits and begin anywhere (RFC 3550, 5.1).
    const ticks = (rtpTimestamp - track.last) | 0;
    if (ticks > 0) this.tracks.set(kind, { last: rtpTimestamp, ticks: track.ticks + ticks });
  }

  /** Of the longer track: on a busy machine, video is behind audio. */
  get seconds(): number {
    return Math.max(0, ...this.lengths);
  }

  /** Of the shorter track. */
  get secondsOfAll(): number {
    return Math.min(Infinity, ...this.lengths);
  }

  private get lengths(): number[] {
    return [...this.tracks].map(([kind, { ticks }]) => ticks / clockRates[kind]);
  }
}

export function recordingRequest(tracks: MediaKind[] = ['audio', 'video'], maxDurationSeconds = 3600) {
  return { recordingID: 'rec_1', meetingID: 'room_1', sourceID: 'ext_1', sfuNodeID, tracks, maxDurationSeconds };
}

interface ProbedFile {
  streams: Record<string, string>[];
  format: Record<string, string>;
}

function probeFile(path: string): ProbedFile {
  const args = ['-v', 'error', '-of', 'json', '-show_streams', '-show_format', path];
  const { stdout, stderr } = spawnSync('ffprobe', args);
  if (stdout.length < 5) throw new Error(`ffprobe could not read ${path}: ${stderr.toString()}`);
  return JSON.parse(stdout.toString()) as ProbedFile;
}

export async function probeRecording(bench: RecordingBench) {
  const path = fileOf(bench);
  const { streams, format } = probeFile(path);
  const handle = await open(path, 'r');
  const boxes = (await readBoxes(handle)).map(box => box.type);
  await handle.close();
  const of = (kind: string) => streams.find(stream => stream['codec_type'] === kind);
  return { video: of('video'), audio: of('audio'), durationSeconds: Number(format['duration']), boxes };
}

/**
 * Expects a finished file with as much media as arrived: `mediaSeconds` before the recording was stopped, and on a busy machine some
 * more until its feed closed. Returns what FFprobe finds in the file.
 */
export async function expectWhole(bench: RecordingBench, file: RecordedFile, mediaSeconds: number) {
  const found = await probeRecording(bench);
  const bytes = await readFile(fileOf(bench));
  expect(file.checksumSha256).toBe(createHash('sha256').update(bytes).digest('hex'));
  expect(file.sizeBytes).toBe(bytes.length);
  // The last picture adds one frame.
  expect(file.durationSeconds).toBeGreaterThan(mediaSeconds - 0.2);
  expect(file.durationSeconds).toBeLessThan(bench.received.seconds + 0.2);
  expect(Math.abs(file.durationSeconds - found.durationSeconds)).toBeLessThan(0.05);
  expect(found.boxes.indexOf('moov')).toBeLessThan(found.boxes.indexOf('mdat'));
  const starts = [found.video, found.audio].flatMap(stream => (stream ? [Number(stream['start_time'])] : []));
  expect(Math.max(...starts) - Math.min(...starts)).toBeLessThan(0.05);
  return found;
}
