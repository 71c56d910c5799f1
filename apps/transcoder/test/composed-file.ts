import { spawnSync } from 'node:child_process';
import { evenSound } from '../src/encoder/graph/composed-graph.js';

export interface Area {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** A path, or the bytes of a file. */
type MediaFile = string | Buffer;

/** The pictures of a file. They are decoded once, because a start of FFmpeg takes longer than many pictures. */
export class Pictures {
  /** Each picture has this size, with three bytes a pixel: red, green, blue. */
  private readonly size = { width: 160, height: 90 };
  private readonly track: PictureTrack;
  private readonly bytes: Buffer;

  constructor(file: MediaFile) {
    this.track = probePictures(file);
    const filter = `scale=${this.size.width}:${this.size.height}:flags=area`;
    this.bytes = decode(file, ['-vf', filter, '-vsync', 'passthrough', '-f', 'rawvideo', '-pix_fmt', 'rgb24']);
  }

  /** The average colour of an area in the first picture from a time on: red, green and blue from 0 to 255. */
  colorAt(seconds: number, area: Area): number[] {
    const { width, height } = this.size;
    const [scaleX, scaleY] = [width / this.track.width, height / this.track.height];
    const [left, right] = [area.x, area.x + area.width].map(x => Math.round(x * scaleX)) as [number, number];
    const [top, bottom] = [area.y, area.y + area.height].map(y => Math.round(y * scaleY)) as [number, number];
    const index = this.track.times.findIndex(time => time >= seconds * 1000);
    if (index < 0)
      throw new Error(`The file has no picture at ${seconds} s; its last one is at ${this.track.times.at(-1)} ms`);
    const sums = [0, 0, 0];
    for (let y = top; y < bottom; y += 1)
      for (let x = left; x < right; x += 1)
        for (const channel of sums.keys())
          sums[channel]! += this.bytes[((index * height + y) * width + x) * 3 + channel]!;
    return sums.map(sum => sum / ((right - left) * (bottom - top)));
  }
}

/** The brightest pixel of an area at a time, from 0 to 255. */
export function brightestAt(path: string, seconds: number, area: Area): number {
  const { x, y, width, height } = area;
  const output = ['-frames:v', '1', '-vf', `crop=${width}:${height}:${x}:${y}`, '-f', 'rawvideo', '-pix_fmt', 'gray'];
  return Math.max(...decode(path, output, ['-ss', `${seconds}`]));
}

const sampleRate = 48_000;

/** The sound of a file, 48,000 samples a second. As players do, it has silence for gaps in the times. */
export function samplesOf(file: MediaFile): Float32Array {
  const bytes = decode(file, ['-map', '0:a', '-af', evenSound(0), '-ac', '1', '-ar', `${sampleRate}`, '-f', 'f32le']);
  return new Float32Array(bytes.buffer, bytes.byteOffset, Math.floor(bytes.length / 4));
}

/** The amplitude of a tone in a part of the sound (Goertzel). */
export function toneIn(samples: Float32Array, hertz: number, from: number, seconds: number): number {
  const piece = samples.subarray(from * sampleRate, (from + seconds) * sampleRate);
  const factor = 2 * Math.cos((2 * Math.PI * hertz) / sampleRate);
  let [one, two] = [0, 0];
  for (const sample of piece) [one, two] = [sample + factor * one - two, one];
  return (2 * Math.sqrt(Math.max(0, one * one + two * two - factor * one * two))) / piece.length;
}

/**
 * Whether a tone is heard in some quarter of a second of a part of the sound. On a busy machine, FFmpeg composes too slowly for
 * its sources, and parts of their sound are missing.
 */
export function isHeard(samples: Float32Array, hertz: number, from = 0, to = samples.length / sampleRate): boolean {
  for (let at = from; at + 0.25 <= to; at += 0.25) if (toneIn(samples, hertz, at, 0.25) > 0.05) return true;
  return false;
}

interface PictureTrack {
  width: number;
  height: number;
  /** Of each picture, ms. */
  times: number[];
}

function probePictures(file: MediaFile): PictureTrack {
  const entries = ['-show_entries', 'stream=width,height:packet=pts_time', '-of', 'json'];
  const { path, input } = inputOf(file);
  const { stdout } = spawnSync('ffprobe', ['-v', 'error', '-select_streams', 'v', ...entries, path], { input });
  const { streams, packets } = JSON.parse(stdout.toString()) as {
    streams: { width: number; height: number }[];
    packets: { pts_time: string }[];
  };
  const [stream] = streams;
  if (!stream) throw new Error('The file has no pictures');
  // Packets come in the order of decoding.
  const times = packets.map(packet => Math.round(Number(packet.pts_time) * 1000)).sort((one, other) => one - other);
  return { ...stream, times };
}

/** Times of the pictures, ms. */
export function pictureTimes(path: string): number[] {
  return probePictures(path).times;
}

/** ms from each flash in an area to the beep after it; negative: the beep is earlier. Flashes and beeps are a second apart. */
export function soundOffsets(path: string, { x, y, width, height }: Area): number[] {
  const filter = `crop=${width}:${height}:${x}:${y},scale=1:1:flags=area`;
  const output = ['-vf', filter, '-vsync', 'passthrough', '-f', 'rawvideo', '-pix_fmt', 'gray'];
  const levels = decode(path, ['-map', '0:v', ...output]);
  const times = pictureTimes(path);
  const flashes = times.filter((_, i) => i > 0 && levels[i]! > 128 && levels[i - 1]! <= 128);
  const beeps = beepsIn(samplesOf(path));
  return flashes.flatMap(flash => {
    const nearest = beeps.map(beep => beep - flash).sort((one, other) => Math.abs(one) - Math.abs(other))[0];
    return nearest === undefined || Math.abs(nearest) > 400 ? [] : [nearest];
  });
}

/** Times at which the sound begins after a silence, ms. */
function beepsIn(samples: Float32Array): number[] {
  const beeps: number[] = [];
  let quietSince = 0;
  samples.forEach((sample, i) => {
    if (Math.abs(sample) < 0.02) return;
    if (i - quietSince > sampleRate / 2) beeps.push((i * 1000) / sampleRate);
    quietSince = i;
  });
  return beeps;
}

function decode(file: MediaFile, output: string[], seek: string[] = []): Buffer {
  const { path, input } = inputOf(file);
  const args = ['-v', 'error', ...seek, '-i', path, ...output, '-'];
  const { stdout, stderr, status } = spawnSync('ffmpeg', args, { input, maxBuffer: 1 << 28 });
  if (status !== 0 || stdout.length === 0) throw new Error(`FFmpeg could not read: ${stderr.toString()}`);
  return stdout;
}

/** Without bytes, the standard input is empty. */
function inputOf(file: MediaFile): { path: string; input: Buffer } {
  return typeof file === 'string' ? { path: file, input: Buffer.alloc(0) } : { path: 'pipe:0', input: file };
}
