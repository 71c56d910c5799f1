import { readFile } from 'node:fs/promises';
import { readSamples, readTrack, type Mp4Track } from '../../delivery/presentation/fragmented-mp4.js';
import type { FinishedPart } from '../encoder.js';

/** The fragments of the segment that FFmpeg writes now. */
export class GrowingSegment {
  private readonly track: Mp4Track;
  private bytesRead = 0;
  private secondsRead = 0;

  constructor(init: Buffer) {
    this.track = readTrack(init);
  }

  /** Seconds of the parts so far. */
  get seconds(): number {
    return this.secondsRead;
  }

  /** Bytes of the parts so far. */
  get length(): number {
    return this.bytesRead;
  }

  /** Begins the next segment. */
  next(): void {
    this.bytesRead = 0;
    this.secondsRead = 0;
  }

  /** Returns the parts that are whole in the file since the last call; none without the file. */
  async read(path: string): Promise<FinishedPart[]> {
    const content = await readFile(path).catch(() => Buffer.alloc(0));
    const parts: FinishedPart[] = [];
    for (let end = endOfFragment(content, this.bytesRead); end !== undefined;) {
      // A copy, because a view would keep the whole file in memory.
      const bytes = Buffer.from(content.subarray(this.bytesRead, end));
      const samples = readSamples(this.track, bytes);
      const durationSeconds = samples.reduce((sum, { durationMs }) => sum + durationMs, 0) / 1000;
      parts.push({ bytes, durationSeconds, isIndependent: samples[0]?.keyframe === true });
      this.bytesRead = end;
      this.secondsRead += durationSeconds;
      end = endOfFragment(content, end);
    }
    return parts;
  }
}

/** Returns the end of the first `mdat` box after `start` (ISO/IEC 14496-12), if it is written. */
function endOfFragment(content: Buffer, start: number): number | undefined {
  for (let at = start; at + 8 <= content.length;) {
    const length = content.readUInt32BE(at);
    // Longer boxes have other lengths. A segment is far smaller.
    if (length < 8 || at + length > content.length) return undefined;
    if (content.toString('latin1', at + 4, at + 8) === 'mdat') return at + length;
    at += length;
  }
  return undefined;
}
