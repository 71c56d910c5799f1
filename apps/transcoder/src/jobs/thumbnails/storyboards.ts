import { writeFile, rm } from 'node:fs/promises';
import { convert } from '@rtms/ffmpeg';
import {
  planStoryboard,
  storyboardFile,
  storyboardTile,
  type StoryboardPlan,
} from '../../delivery/stores/storyboard-file.js';
import { maxPixelsArguments } from '../../encoder/ffmpeg/ffmpeg-arguments.js';
import { FairSlots } from './fair-slots.js';
import type { FinishedRecording, FurtherFileParts } from './hls-files.js';

/** A recording does not wait long for its pictures. */
const longestWaitMs = 60_000;
/** An hour of 1080p with a keyframe every 2 s takes about 15 s. */
const longestWorkMs = 120_000;
const turns = { slots: 1, slotsPerOwner: 1, waitingPerOwner: 20, waiting: 200 };
/** A hundred pictures have about 0.4 MB. */
const mostJpegBytes = 4 * 1024 * 1024;
/** A 4K picture. */
const mostPixels = 3840 * 2160;

/** Makes the pictures that players show above their time line. One FFmpeg at a time, on one thread, decodes keyframes alone. */
export class Storyboards {
  private readonly turns = new FairSlots(turns);

  constructor(private readonly parts: FurtherFileParts) {}

  /** Never rejects: a recording without a storyboard is better than none. */
  async make(recording: FinishedRecording, signal: AbortSignal): Promise<void> {
    const { recordingID, accountID } = recording;
    const { clock, logger } = this.parts;
    try {
      const bounds = { clock, longestWaitMs, longestWorkMs, signal };
      await this.turns.runInTime(accountID, bounds, workSignal => this.store(recording, workSignal));
    } catch (err) {
      if (!signal.aborted) logger.warn({ err, recordingID }, 'cannot make the storyboard of a recording');
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
    const plan = planStoryboard(durationSeconds);
    const limits = { input: Buffer.alloc(0), timeoutMs: longestWorkMs, mostOutputBytes: mostJpegBytes, signal };
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
    `fps=1/${intervalSeconds}:start_time=0:eof_action=pass`,
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
