import { spawnSync } from 'node:child_process';

export interface IvfFrame {
  data: Buffer;
  /** In units of the stream's time base. */
  timestamp: number;
}

/** Frames of a VP8, VP9 or AV1 stream that FFmpeg encodes from its test picture. */
export function encodeIvf(options: {
  encoder: string[];
  size: string;
  frameRate: number;
  seconds: number;
}): IvfFrame[] {
  const { encoder, size, frameRate, seconds } = options;
  const source = ['-f', 'lavfi', '-i', `testsrc=size=${size}:rate=${frameRate}`, '-t', `${seconds}`];
  const args = ['-v', 'error', '-nostdin', ...source, ...encoder, '-pix_fmt', 'yuv420p', '-f', 'ivf', 'pipe:1'];
  const { stdout, status, stderr } = spawnSync('ffmpeg', args, { maxBuffer: 256 * 1024 * 1024 });
  if (status !== 0) throw new Error(`FFmpeg made no test stream: ${stderr.toString()}`);
  return parseIvf(stdout);
}

function parseIvf(file: Buffer): IvfFrame[] {
  const frames: IvfFrame[] = [];
  for (let offset = file.readUInt16LE(6); offset + 12 <= file.length;) {
    const length = file.readUInt32LE(offset);
    const data = file.subarray(offset + 12, offset + 12 + length);
    frames.push({ data, timestamp: Number(file.readBigUInt64LE(offset + 4)) });
    offset += 12 + length;
  }
  return frames;
}
