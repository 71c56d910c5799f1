import { appendFile, readFile, rm } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Clock } from '@rtms/clock';
import { convert, type Ffmpeg } from '@rtms/ffmpeg';
import type { Logger } from '@rtms/logging';
import { SerialQueue } from '@rtms/node';
import { hlsFileEnd } from '../../delivery/stores/hls-file.js';
import type { RecordingStore } from '../../delivery/stores/recording-store.js';
import { audioBitrate } from '../../encoder/encoder.js';

export interface HlsFilesParts {
  ffmpeg: Ffmpeg;
  clock: Clock;
  store: RecordingStore;
  logger: Logger;
}

/** Of waiting and work. FFmpeg copies the video, and encodes an hour of sound in about a minute. */
const timeoutMs = 1_800_000;
const shortestSegmentSeconds = 6;
/** The playlist of a day stays small. */
const mostSegments = 1_000;

/** Makes HLS presentations of finished recordings. One FFmpeg at a time, on one thread. */
export class HlsFiles {
  private readonly queue = new SerialQueue();

  constructor(private readonly parts: HlsFilesParts) {}

  /** Never rejects: a recording without HLS is better than none. `path`: the finished MP4 file. */
  async make(recordingID: string, path: string, durationSeconds: number, signal: AbortSignal): Promise<void> {
    const stop = new AbortController();
    const forward = () => stop.abort(signal.reason);
    signal.addEventListener('abort', forward, { once: true });
    if (signal.aborted) forward();
    const deadline = this.parts.clock.after(timeoutMs, () => stop.abort(new Error('HLS takes too long')));
    try {
      await this.queue.run(() => this.store(recordingID, path, durationSeconds, stop.signal));
    } catch (err) {
      if (!signal.aborted) this.parts.logger.warn({ err, recordingID }, 'cannot store a recording as HLS');
    } finally {
      deadline.cancel();
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

  private async store(recordingID: string, path: string, seconds: number, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const playlist = `${path}.hls.m3u8`;
    const media = `${path}.hls.m4s`;
    const limits = { input: Buffer.alloc(0), timeoutMs, mostOutputBytes: 64 * 1024, signal };
    try {
      await convert(this.parts.ffmpeg, hlsArguments(path, playlist, seconds), limits);
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
    ...['-hide_banner', '-nostats', '-loglevel', 'error', '-threads', '1', '-f', 'mp4', '-i', path],
    ...['-map', '0', '-c:v', 'copy', '-c:a', 'aac', '-b:a', `${audioBitrate}`, '-ac', '2'],
    ...['-f', 'hls', '-hls_time', `${segmentSeconds}`, '-hls_playlist_type', 'vod'],
    ...['-hls_segment_type', 'fmp4', '-hls_flags', 'single_file+independent_segments', playlist],
  ];
}
