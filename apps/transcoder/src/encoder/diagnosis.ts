import { statfs } from 'node:fs/promises';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Clock } from '@rtms/clock';
import {
  transcoderCommands,
  type DirectorySpace,
  type RecordingsKeeping,
  type TranscoderDiagnosis,
  type Trial,
} from '@rtms/contracts';
import { OnCommand } from '@rtms/node';
import { messageOf } from '@rtms/logging';
import { canWrite } from '../disk.js';

export interface DiagnosisOptions {
  ffmpegPath: string;
  mediaDirectory: string;
  recordingsDirectory: string;
  recordings: RecordingsKeeping;
  clock: Clock;
}

/** The node's self-test for administrators. */
export class Diagnosis {
  constructor(private readonly options: DiagnosisOptions) {}

  @OnCommand(transcoderCommands.diagnose)
  async diagnose(): Promise<TranscoderDiagnosis> {
    const { ffmpegPath, mediaDirectory, recordingsDirectory, recordings, clock } = this.options;
    const [{ version, missingEncoders }, encoding, ...directories] = await Promise.all([
      lookAtFfmpeg(ffmpegPath),
      tryEncoding(ffmpegPath, clock),
      spaceIn('MEDIA_DIR', mediaDirectory),
      spaceIn('RECORDINGS_DIR', recordingsDirectory),
    ]);
    const measuredAt = new Date(clock.now()).toISOString();
    return { measuredAt, ffmpegVersion: version, missingEncoders, encoding, directories, recordings };
  }
}

async function spaceIn(purpose: string, path: string): Promise<DirectorySpace> {
  const isWritable = await canWrite([path]).catch(() => false);
  const space = await statfs(path).catch(() => undefined);
  const [freeBytes, totalBytes] = space ? [space.bavail * space.bsize, space.blocks * space.bsize] : [0, 0];
  return { purpose, path, isWritable, freeBytes, totalBytes };
}

const run = promisify(execFile);
/** FFmpeg is killed after this time, so that the administrator gets an answer. */
const answersWithinMs = 6_000;

/** Encodes one second of picture and sound with the encoders of broadcasts, and discards it. Never rejects. */
export async function tryEncoding(path: string, clock: Clock, withinMs = answersWithinMs): Promise<Trial> {
  const begun = clock.now();
  const picture = ['-f', 'lavfi', '-i', 'testsrc=size=320x180:rate=25:duration=1'];
  const sound = ['-f', 'lavfi', '-i', 'sine=frequency=440:sample_rate=48000:duration=1'];
  const output = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-c:a', 'aac', '-f', 'null', '-'];
  try {
    await run(path, ['-v', 'error', '-nostdin', ...picture, ...sound, ...output], { timeout: withinMs });
    return { ok: true, detail: `${clock.now() - begun} ms` };
  } catch (error) {
    return { ok: false, detail: reasonOf(error, withinMs) };
  }
}

const neededEncoders = ['libx264', 'aac'];

/** Reads version and encoders again, because FFmpeg may have changed since the start. */
export async function lookAtFfmpeg(
  path: string,
  withinMs = answersWithinMs,
): Promise<{ version: string; missingEncoders: string[] }> {
  try {
    const [{ stdout: version }, { stdout: encoders }] = await Promise.all([
      run(path, ['-hide_banner', '-version'], { timeout: withinMs }),
      run(path, ['-hide_banner', '-encoders'], { timeout: withinMs, maxBuffer: 4 << 20 }),
    ]);
    const isMissing = (name: string) => !new RegExp(`^ [VA]\\S{5} ${name} `, 'm').test(encoders);
    return {
      version: /^ffmpeg version (\S+)/.exec(version)?.[1] ?? '',
      missingEncoders: neededEncoders.filter(isMissing),
    };
  } catch {
    return { version: '', missingEncoders: neededEncoders };
  }
}

/** Returns FFmpeg's last line. The error message starts with the whole command. */
function reasonOf(error: unknown, withinMs: number): string {
  if (error instanceof Error && 'killed' in error && error.killed) return `timeout after ${withinMs / 1000} s`;
  const said = messageOf(error);
  return said.trimEnd().split('\n').at(-1) ?? said;
}
