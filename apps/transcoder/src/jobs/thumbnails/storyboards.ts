import { writeFile, rm } from 'node:fs/promises';
import type { Clock } from '@rtms/clock';
import { convert, type Ffmpeg } from '@rtms/ffmpeg';
import type { Logger } from '@rtms/logging';
import { SerialQueue } from '@rtms/node';
import {
  planStoryboard,
  storyboardFile,
  storyboardTile,
  type StoryboardPlan,
} from '../../delivery/stores/storyboard-file.js';
import type { RecordingStore } from '../../delivery/stores/recording-store.js';
import { maxPixelsArguments } from '../../encoder/ffmpeg-arguments.js';

export interface StoryboardsParts {
  ffmpeg: Ffmpeg;
  clock: Clock;
  store: RecordingStore;
  logger: Logger;
}

/** Of waiting and work. An hour of 1080p with a keyframe every 2 s takes about 15 s. */
const timeoutMs = 120_000;
/** A hundred pictures have about 0.4 MB. */
const mostJpegBytes = 4 * 1024 * 1024;
/** A 4K picture. */
const mostPixels = 3840 * 2160;

/** Makes the pictures that players show above their time line. One FFmpeg at a time, on one thread, decodes keyframes alone. */
export class Storyboards {
  private readonly queue = new SerialQueue();

  constructor(private readonly parts: StoryboardsParts) {}

  /** Never rejects: a recording without a storyboard is better than none. `path`: the finished MP4 file. */
  async make(recordingID: string, path: string, durationSeconds: number, signal: AbortSignal): Promise<void> {
    const stop = new AbortController();
    const forward = () => stop.abort(signal.reason);
    signal.addEventListener('abort', forward, { once: true });
    if (signal.aborted) forward();
    // The recording does not wait for the work to notice.
    const aborted = new Promise<never>((_, reject) => {
      stop.signal.addEventListener('abort', () => reject(stop.signal.reason as Error), { once: true });
    });
    const deadline = this.parts.clock.after(timeoutMs, () => stop.abort(new Error('the storyboard takes too long')));
    const made = this.queue.run(() => this.store(recordingID, path, planStoryboard(durationSeconds), stop.signal));
    try {
      await Promise.race([made, aborted]);
    } catch (err) {
      if (!signal.aborted) this.parts.logger.warn({ err, recordingID }, 'cannot make the storyboard of a recording');
    } finally {
      deadline.cancel();
      signal.removeEventListener('abort', forward);
    }
  }

  delete(recordingID: string): Promise<void> {
    return this.parts.store.delete(recordingID);
  }

  private async store(recordingID: string, path: string, plan: StoryboardPlan, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const limits = { input: Buffer.alloc(0), timeoutMs, mostOutputBytes: mostJpegBytes, signal };
    const jpeg = await convert(this.parts.ffmpeg, spriteArguments(path, plan), limits);
    if (jpeg.length === 0) throw new Error('FFmpeg wrote no picture');
    const made = `${path}.storyboard`;
    try {
      await writeFile(made, storyboardFile(plan, jpeg));
      await this.parts.store.put(recordingID, made, signal);
    } finally {
      await rm(made, { force: true });
    }
  }
}

/** `tpad` repeats the last picture, so that the sheet is full. */
function spriteArguments(path: string, { intervalSeconds, columns, rows }: StoryboardPlan): string[] {
  const { width, height } = storyboardTile;
  const size = `${width}:${height}`;
  const filters = [
    `fps=1/${intervalSeconds}:start_time=0`,
    `scale=${size}:force_original_aspect_ratio=decrease`,
    `pad=${size}:(ow-iw)/2:(oh-ih)/2`,
    `setsar=1,tpad=stop=${columns * rows}:stop_mode=clone,tile=${columns}x${rows}`,
  ];
  return [
    ...['-hide_banner', '-nostats', '-loglevel', 'error', '-skip_frame', 'nokey', '-threads', '1'],
    ...[...maxPixelsArguments(mostPixels), '-f', 'mp4', '-i', path, '-an', '-vf', filters.join(',')],
    ...['-frames:v', '1', '-q:v', '5', '-f', 'mjpeg', 'pipe:1'],
  ];
}
