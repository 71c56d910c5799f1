import { spawnSync } from 'node:child_process';

export interface Area {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** The average colour of an area of the picture at a time: red, green and blue from 0 to 255. */
export function colorAt(path: string, seconds: number, area: Area): number[] {
  const { x, y, width, height } = area;
  const filter = `crop=${width}:${height}:${x}:${y},scale=1:1:flags=area`;
  return [
    ...run([
      '-ss',
      `${seconds}`,
      '-i',
      path,
      '-frames:v',
      '1',
      '-vf',
      filter,
      '-f',
      'rawvideo',
      '-pix_fmt',
      'rgb24',
      '-',
    ]),
  ];
}

/** The brightest pixel of an area at a time, from 0 to 255. */
export function brightestAt(path: string, seconds: number, area: Area): number {
  const { x, y, width, height } = area;
  const args = ['-ss', `${seconds}`, '-i', path, '-frames:v', '1', '-vf', `crop=${width}:${height}:${x}:${y}`];
  return Math.max(...run([...args, '-f', 'rawvideo', '-pix_fmt', 'gray', '-']));
}

const sampleRate = 48_000;

/** The sound of a file, 48,000 samples a second. */
export function samplesOf(path: string): Float32Array {
  const bytes = run(['-i', path, '-map', '0:a', '-ac', '1', '-ar', `${sampleRate}`, '-f', 'f32le', '-']);
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

/** Times of the pictures, ms. */
export function pictureTimes(path: string): number[] {
  const args = ['-v', 'error', '-select_streams', 'v', '-show_entries', 'packet=pts_time', '-of', 'csv=p=0', path];
  const { stdout } = spawnSync('ffprobe', args);
  return stdout
    .toString()
    .split('\n')
    .filter(Boolean)
    .map(line => Math.round(Number(line.replace(',', '')) * 1000));
}

/** ms from each flash in an area to the beep after it; negative: the beep is earlier. Flashes and beeps are a second apart. */
export function soundOffsets(path: string, { x, y, width, height }: Area): number[] {
  const filter = `crop=${width}:${height}:${x}:${y},scale=1:1:flags=area`;
  const levels = run([
    '-i',
    path,
    '-map',
    '0:v',
    '-vf',
    filter,
    '-vsync',
    'passthrough',
    '-f',
    'rawvideo',
    '-pix_fmt',
    'gray',
    '-',
  ]);
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

function run(args: string[]): Buffer {
  const { stdout, stderr, status } = spawnSync('ffmpeg', ['-v', 'error', '-nostdin', ...args], { maxBuffer: 1 << 28 });
  if (status !== 0 || stdout.length === 0) throw new Error(`FFmpeg could not read: ${stderr.toString()}`);
  return stdout;
}
