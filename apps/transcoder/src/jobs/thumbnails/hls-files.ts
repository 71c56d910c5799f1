import { appendFile, readFile, rm } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Clock } from '@rtms/clock';
import { convert, type Ffmpeg } from '@rtms/ffmpeg';
import type { Logger } from '@rtms/logging';
import { hlsFileEnd } from '../../delivery/stores/hls-file.js';
import type { RecordingStore } from '../../delivery/stores/recording-store.js';
import { audioBitrate } from '../../encoder/encoder.js';
import { FairSlots } from './fair-slots.js';

/** The FFmpeg and the store of a further file of a finished recording. */
export interface FurtherFileParts {
  ffmpeg: Ffmpeg;
  clock: Clock;
  store: RecordingStore;
  logger: Logger;
}

/** HLS is optional, so a recording does not wait long for its turn. */
const longestWaitMs = 120_000;
/** FFmpeg copies the video, and encodes an hour of sound in about a minute. */
const longestWorkMs = 600_000;
/** An account has one, so it does not keep other accounts waiting. */
const turns = { slots: 2, slotsPerOwner: 1, waitingPerOwner: 20, waiting: 200 };
const shortestSegmentSeconds = 6;
/** The playlist of a day stays small. */
const mostSegments = 1_000;

export interface FinishedRecording {
  recordingID: string;
  /** Accounts take turns. */
  accountID: string;
  /** The finished MP4 file. */
  path: string;
  durationSeconds: number;
}

/** Returns the most bytes of the HLS presentation of a file. Its sound may have a higher bitrate than that of the file. */
export function mostHlsBytes(sizeBytes: number, durationSeconds: number): number {
  return sizeBytes + Math.ceil((durationSeconds * audioBitrate) / 8);
}

/** Makes HLS presentations of finished recordings. Each FFmpeg has one thread. */
export class HlsFiles {
  private readonly turns = new FairSlots(turns);

  constructor(private readonly parts: FurtherFileParts) {}

  /** Returns whether the presentation is stored. Never rejects: a recording without HLS is better than none. */
  async make(recording: FinishedRecording, signal: AbortSignal): Promise<boolean> {
    const { recordingID, accountID } = recording;
    const { clock, logger } = this.parts;
    try {
      const bounds = { clock, longestWaitMs, longestWorkMs, signal };
      await this.turns.runInTime(accountID, bounds, workSignal => this.store(recording, workSignal));
      return true;
    } catch (err) {
      if (!signal.aborted) logger.warn({ err, recordingID }, 'cannot store a recording as HLS');
      return false;
    }
  }

  /** Bytes on the disk of this node. 0 for a shared store. */
  get bytesOnDisk(): number {
    return this.parts.store.bytesOnDisk;
  }

  delete(recordingID: string): Promise<void> {
    return this.parts.store.delete(recordingID);
  }

  private async store({ recordingID, path, durationSeconds }: FinishedRecording, signal: AbortSignal): Promise<void> {
    const playlist = `${path}.hls.m3u8`;
    const media = `${path}.hls.m4s`;
    const limits = { input: Buffer.alloc(0), timeoutMs: longestWorkMs, mostOutputBytes: 64 * 1024, signal };
    try {
      await convert(this.parts.ffmpeg, hlsArguments(path, playlist, durationSeconds), limits);
      await appendFile(media, hlsFileEnd(await readFile(playlist, 'utf8'), basename(media)));
      await this.parts.store.put(recordingID, media, signal);
    } finally {
      await Promise.all([playlist, media].map(file => rm(file, { force: true })));
    }
  }
}

/** Apple's players decode AAC, and Opus only in newer versions. */
function hlsArguments(path: string, playlist: string, durationSeconds: number): string[] {
  const segmentSeconds = Math.max(shortestSegmentSeconds, Math.ceil(durationSeconds / mostSegments));
  return [
    ...['-hide_banner', '-y', '-nostats', '-loglevel', 'error', '-threads', '1', '-f', 'mp4', '-i', path],
    ...['-map', '0', '-c:v', 'copy', '-c:a', 'aac', '-b:a', `${audioBitrate}`, '-ac', '2'],
    ...['-f', 'hls', '-hls_time', `${segmentSeconds}`, '-hls_playlist_type', 'vod'],
    ...['-hls_segment_type', 'fmp4', '-hls_flags', 'single_file+independent_segments', playlist],
  ];
}
