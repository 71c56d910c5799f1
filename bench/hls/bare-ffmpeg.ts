import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ffmpegArguments } from '../../apps/transcoder/src/encoder/ffmpeg/ffmpeg-arguments.js';
import { completedSegments, cpuPerSegment } from './encoder-cpu.js';

export interface Source {
  size: string;
  frameRate: number;
  bitrate: string;
}

type Plan = Parameters<typeof ffmpegArguments>[0];

/** CPU seconds a segment of FFmpeg alone, with the same ladder and the same picture read from a file in real time. */
export async function measureBareFfmpeg(ffmpeg: string, source: Source, plan: Plan, segments: number): Promise<number> {
  const directory = await mkdtemp(join(tmpdir(), 'rtms-bench-'));
  try {
    recordSource(ffmpeg, source, join(directory, 'source.mkv'), (segments + 8) * plan.segmentSeconds);
    const args = ffmpegArguments(plan, { cmaf: true });
    args.splice(args.indexOf('pipe:0') - 1, 2, '-re', '-i', 'source.mkv');
    const child = spawn(ffmpeg, args, { cwd: directory, stdio: 'ignore' });
    const [used] = await cpuPerSegment([child.pid!], () => completedSegments(directory), segments);
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
    return used!;
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

function recordSource(ffmpeg: string, { size, frameRate, bitrate }: Source, file: string, seconds: number): void {
  const picture = ['-f', 'lavfi', '-i', `testsrc2=size=${size}:rate=${frameRate}`];
  const sound = ['-f', 'lavfi', '-i', 'sine=frequency=440:sample_rate=48000'];
  const video = ['-c:v', 'libx264', '-preset', 'superfast', '-tune', 'zerolatency', '-pix_fmt', 'yuv420p'];
  const rate = ['-b:v', bitrate, '-maxrate', bitrate, '-bufsize', bitrate, '-g', `${frameRate}`];
  const audio = ['-c:a', 'libopus', '-ac', '2'];
  const args = [
    '-v',
    'error',
    '-nostdin',
    '-y',
    ...picture,
    ...sound,
    '-t',
    `${seconds}`,
    ...video,
    ...rate,
    ...audio,
    file,
  ];
  const { status, stderr } = spawnSync(ffmpeg, args);
  if (status !== 0) throw new Error(`FFmpeg made no source: ${stderr.toString()}`);
}
