import { spawn } from 'node:child_process';
import { tiedToParent } from '../setup/run-command.mjs';
import { ageOf, clockBlocks, clockShare } from './clock-code.mjs';
import { annexB, endOfFrame } from './h264-frames.mjs';

/** FFmpeg that cannot keep up gets no more than this. */
const greatestBacklogBytes = 2_000_000;

/** Decodes H264 with FFmpeg, and reads the clock in each picture. */
export class ClockReader {
  /** Decoded pictures, with a clock or without. */
  pictures = 0;
  /** Of the pictures with a clock, in ms, since the last `takeAges`. @type {number[]} */
  #ages = [];
  #decoder;
  #rest = Buffer.alloc(0);

  /** @param {string} ffmpeg */
  constructor(ffmpeg) {
    // The middle of the code, one pixel a block.
    const code = `crop=iw:ih*${clockShare * 0.3}:0:ih*${clockShare * 0.35},scale=${clockBlocks}:1:flags=area`;
    const input = ['-fflags', 'nobuffer', '-flags', 'low_delay', '-probesize', '32', '-threads', '1', '-f', 'h264'];
    const output = ['-vf', code, '-pix_fmt', 'gray', '-f', 'rawvideo', 'pipe:1'];
    const command = [ffmpeg, '-hide_banner', '-loglevel', 'quiet', ...input, '-i', 'pipe:0', ...output];
    const [program = '', ...args] = tiedToParent('KILL', command);
    this.#decoder = spawn(program, args, { stdio: ['pipe', 'pipe', 'ignore'], detached: true });
    this.#decoder.stdin.on('error', () => undefined);
    this.#decoder.on('error', () => undefined);
    this.#decoder.stdout.on('data', data => this.#read(data));
  }

  /** @param {Buffer} payload of an RTP packet @param {boolean} isLast of its frame */
  add(payload, isLast) {
    if (this.#decoder.stdin.writableLength > greatestBacklogBytes) return;
    this.#decoder.stdin.write(annexB(payload));
    if (isLast) this.#decoder.stdin.write(endOfFrame);
  }

  takeAges() {
    return this.#ages.splice(0);
  }

  close() {
    this.#decoder.kill('SIGKILL');
  }

  /** @param {Buffer} data */
  #read(data) {
    const all = Buffer.concat([this.#rest, data]);
    const whole = all.length - (all.length % clockBlocks);
    for (let at = 0; at < whole; at += clockBlocks) {
      this.pictures += 1;
      const age = ageOf(
        Array.from(all.subarray(at, at + clockBlocks), grey => grey > 127),
        Date.now(),
      );
      if (age !== undefined) this.#ages.push(age);
    }
    this.#rest = all.subarray(whole);
  }
}
