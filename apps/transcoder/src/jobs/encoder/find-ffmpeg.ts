import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { FfmpegFeatures } from '../hls/ffmpeg-arguments.js';

const run = promisify(execFile);

/** An FFmpeg that was found and asked what it can do. */
export interface Ffmpeg extends FfmpegFeatures {
  path: string;
  /** As it says itself, e.g. `5.1.9-0+deb12u1`. */
  version: string;
  /** Names of its decoders. */
  decoders: ReadonlySet<string>;
  /** Stands before its command line: ends FFmpeg when this process dies, where the system can do that. */
  launcher: string[];
}

const oldestSystemMajor = 5;

/** `FFMPEG_PATH`, else the system's if it is 5.0 or newer, else the one from npm. */
export async function findFfmpeg(configuredPath?: string): Promise<Ffmpeg> {
  if (configuredPath) return inspectFfmpeg(configuredPath);
  const system = await inspectFfmpeg('ffmpeg').catch(() => undefined);
  if (system && majorOf(system.version) >= oldestSystemMajor) return system;
  return inspectFfmpeg(await bundledFfmpegPath());
}

export async function bundledFfmpegPath(): Promise<string> {
  const { default: installer } = await import('@ffmpeg-installer/ffmpeg');
  return installer.path;
}

/** Throws one clear sentence when there is no FFmpeg that works, or it lacks an encoder. */
export async function inspectFfmpeg(path: string): Promise<Ffmpeg> {
  const [versionText, decoderText, encoderText] = await Promise.all([
    ask(path, '-version'),
    ask(path, '-decoders'),
    ask(path, '-encoders'),
  ]);
  const version = /^ffmpeg version (\S+)/.exec(versionText)?.[1] ?? 'unknown';
  const encoders = namesIn(encoderText);
  if (!encoders.has('libx264') || !encoders.has('aac')) {
    throw new Error(`The FFmpeg at ${path} has no libx264 or AAC encoder. Set FFMPEG_PATH to one that has both.`);
  }
  const cmaf = majorOf(version) >= oldestSystemMajor;
  return { path, version, decoders: namesIn(decoderText), launcher: await findLauncher(), cmaf };
}

/** Whether there is still an FFmpeg at the path that starts. */
export function runs(path: string): Promise<boolean> {
  return run(path, ['-hide_banner', '-version'], { timeout: 5_000 }).then(
    () => true,
    () => false,
  );
}

async function ask(path: string, option: string): Promise<string> {
  try {
    return (await run(path, ['-hide_banner', option], { maxBuffer: 4 * 1024 * 1024 })).stdout;
  } catch (error) {
    throw new Error(`There is no working FFmpeg at ${path}. Install FFmpeg 5.0 or newer, or set FFMPEG_PATH.`, {
      cause: error,
    });
  }
}

/** 0 for builds that are named by a commit. */
function majorOf(version: string): number {
  return Number(/^n?(\d+)\./.exec(version)?.[1] ?? 0);
}

/** Lines such as ` V....D libx264   …`. */
function namesIn(listing: string): Set<string> {
  return new Set([...listing.matchAll(/^ [VAS][A-Z.]{5} (\S+)/gm)].map(match => match[1] ?? ''));
}

/** util-linux' setpriv, on Linux. */
async function findLauncher(): Promise<string[]> {
  const options = ['--pdeathsig', 'KILL', '--'];
  const works = await run('setpriv', [...options, 'true']).then(
    () => true,
    () => false,
  );
  return works ? ['setpriv', ...options] : [];
}
