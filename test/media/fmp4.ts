import { spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Fmp4Rendition {
  name: string;
  init: Buffer;
  segments: { bytes: Buffer; durationSeconds: number }[];
}

export interface VideoSize {
  name: string;
  width: number;
  height: number;
}

export interface EncodeOptions {
  seconds: number;
  segmentSeconds: number;
  videos: readonly VideoSize[];
  audio: boolean;
  /** Bits a second of the first size; default: whatever the picture needs. */
  videoBitrate?: number;
}

/** A moving test picture and a tone as fMP4 segments, one rendition per size and one of audio, by the system's FFmpeg. */
export async function encodeFmp4(options: EncodeOptions): Promise<Fmp4Rendition[]> {
  const directory = await mkdtemp(join(tmpdir(), 'rtms-fmp4-'));
  try {
    await runFfmpeg(ffmpegArguments(options), directory);
    const names = [...options.videos.map(({ name }) => name), ...(options.audio ? ['audio'] : [])];
    return await Promise.all(names.map(name => readRendition(directory, name)));
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

function ffmpegArguments({ seconds, segmentSeconds, videos, audio, videoBitrate }: EncodeOptions): string[] {
  const inputs = ['-f', 'lavfi', '-i', `testsrc2=size=${videos[0]!.width}x${videos[0]!.height}:rate=30`];
  if (audio) inputs.push('-f', 'lavfi', '-i', 'sine=frequency=440:sample_rate=48000');
  const hls = (name: string): string[] => [
    ...['-t', String(seconds), '-f', 'hls', '-hls_time', String(segmentSeconds), '-hls_list_size', '0'],
    ...['-hls_segment_type', 'fmp4', '-hls_fmp4_init_filename', `${name}-init.mp4`],
    ...['-hls_segment_filename', `${name}-%d.m4s`, `${name}.m3u8`],
  ];
  const rate = (width: number): string[] =>
    videoBitrate ? ['-b:v', String(Math.round((videoBitrate * width) / videos[0]!.width))] : [];
  const outputs = videos.flatMap(({ name, width, height }) => [
    ...['-map', '0:v', '-s', `${width}x${height}`, '-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p'],
    ...[
      '-bf',
      '0',
      '-force_key_frames',
      `expr:gte(t,n_forced*${segmentSeconds})`,
      '-sc_threshold',
      '0',
      ...rate(width),
      ...hls(name),
    ],
  ]);
  if (audio) outputs.push('-map', '1:a', '-c:a', 'aac', '-b:a', '128k', '-ac', '2', ...hls('audio'));
  return ['-hide_banner', '-loglevel', 'error', '-y', ...inputs, ...outputs];
}

function runFfmpeg(parameters: string[], cwd: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const ffmpeg = spawn('ffmpeg', parameters, { cwd, stdio: ['ignore', 'ignore', 'pipe'] });
    let complaints = '';
    ffmpeg.stderr.on('data', (chunk: Buffer) => (complaints += chunk.toString()));
    ffmpeg.on('error', reject);
    ffmpeg.on('close', code =>
      code === 0 ? resolve() : reject(new Error(`ffmpeg ended with ${code}: ${complaints}`)),
    );
  });
}

async function readRendition(directory: string, name: string): Promise<Fmp4Rendition> {
  const playlist = await readFile(join(directory, `${name}.m3u8`), 'utf8');
  const durations = [...playlist.matchAll(/#EXTINF:([\d.]+)/g)].map(([, seconds]) => Number(seconds));
  const files = (await readdir(directory)).filter(file => file.startsWith(`${name}-`) && file.endsWith('.m4s'));
  const segments = await Promise.all(
    durations.slice(0, files.length).map(async (durationSeconds, index) => ({
      durationSeconds,
      bytes: await readFile(join(directory, `${name}-${index}.m4s`)),
    })),
  );
  return { name, init: await readFile(join(directory, `${name}-init.mp4`)), segments };
}
