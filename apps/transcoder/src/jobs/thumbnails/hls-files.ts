import { appendFile, readFile, rm } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Clock } from '@rtms/clock';
import { convert, type Ffmpeg } from '@rtms/ffmpeg';
import type { Logger } from '@rtms/logging';
import { hlsFileEnd } from '../../delivery/stores/hls-file.js';
import type { RecordingStore } from '../../delivery/stores/recording-store.js';
import { audioBitrate } from '../../encoder/encoder.js';
import { FairSlots } from './fair-slots.js';

export interface HlsFilesParts {
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

  constructor(private readonly parts: HlsFilesParts) {}

  /** Returns whether the presentation is stored. Never rejects: a recording without HLS is better than none. */
  async make(recording: FinishedRecording, signal: AbortSignal): Promise<boolean> {
    const { recordingID } = recording;
    const stop = new AbortController();
    const forward = () => stop.abort(signal.reason);
    signal.addEventListener('abort', forward, { once: true });
    if (signal.aborted) forward();
    try {
      await this.inTurn(recording, stop);
      return true;
    } catch (err) {
      if (!signal.aborted) this.parts.logger.warn({ err, recordingID }, 'cannot store a recording as HLS');
      return false;
    } finally {
      signal.removeEventListener('abort', forward);
    }
  }

  /** Bytes on the disk of this node. 0 for a shared store. */
  get bytesOnDisk(): number {
    return this.parts.store.bytesOnDisk;
  }

  delete(recordingID: string): Promise<void> {
    return this.parts.store.delete(recordingID);
  }

  /** After the stop of work that has begun, its end is awaited: it must store nothing after a deletion. */
  private async inTurn(recording: FinishedRecording, stop: AbortController): Promise<void> {
    const { clock } = this.parts;
    const { signal } = stop;
    signal.throwIfAborted();
    const giveUp = () => stop.abort(new Error('HLS takes too long'));
    let timer = clock.after(longestWaitMs, giveUp);
    let hasBegun = false;
    const stopped = new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => !hasBegun && reject(signal.reason as Error), { once: true });
    });
    const stored = this.turns.run(recording.accountID, async () => {
      signal.throwIfAborted();
      hasBegun = true;
      timer.cancel();
      timer = clock.after(longestWorkMs, giveUp);
      await this.store(recording, signal);
    });
    try {
      await Promise.race([stored, stopped]);
    } finally {
      timer.cancel();
    }
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
