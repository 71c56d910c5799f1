import { execFile } from 'node:child_process';
import { access } from 'node:fs/promises';
import { promisify } from 'node:util';
import type { Clock } from '@rtms/clock';
import type { CodecName } from '@rtms/contracts';

const run = promisify(execFile);

/** Features that depend on the FFmpeg version. */
export interface FfmpegFeatures {
  /** Supports `hls_segment_options`, and `movflags=+cmaf` for the `cmfc` brand. */
  cmaf: boolean;
}

/** An installed FFmpeg and its features. */
export interface Ffmpeg extends FfmpegFeatures {
  path: string;
  /** For example `5.1.9-0+deb12u1`. */
  version: string;
  /** Names of the decoders. */
  decoders: ReadonlySet<string>;
  /** Names of the encoders, libx264 and AAC among them. */
  encoders: ReadonlySet<string>;
  /** Names such as `srt`. */
  protocols: ReadonlySet<string>;
  /** Command prefix that makes the system kill FFmpeg when this process dies; empty if unsupported. */
  launcher: string[];
}

const oldestSystemMajor = 5;

/**
 * Returns the FFmpeg at `configuredPath`, else the system's from version 5.0, else the one from npm. Limits its data segment,
 * thread stacks included, to `memoryBytes`; 0: no limit. Above the limit FFmpeg exits, and this node continues.
 */
export async function findFfmpeg(configuredPath?: string, memoryBytes = 0): Promise<Ffmpeg> {
  const [found, limit] = await Promise.all([searchFfmpeg(configuredPath), memoryLimit(memoryBytes)]);
  return { ...found, launcher: [...found.launcher, ...limit] };
}

async function searchFfmpeg(configuredPath?: string): Promise<Ffmpeg> {
  if (configuredPath) return inspectFfmpeg(configuredPath);
  const system = await inspectFfmpeg('ffmpeg').catch(() => undefined);
  if (system && majorOf(system.version) >= oldestSystemMajor) return system;
  return inspectFfmpeg(await bundledFfmpegPath());
}

export async function bundledFfmpegPath(): Promise<string> {
  const { default: installer } = await import('@ffmpeg-installer/ffmpeg');
  return installer.path;
}

/** Reads version, decoders, encoders and protocols at the same time. Throws if FFmpeg does not start or lacks an encoder. */
export async function inspectFfmpeg(path: string): Promise<Ffmpeg> {
  const [versionText, decoderText, encoderText, protocolText, launcher] = await Promise.all([
    ask(path, '-version'),
    ask(path, '-decoders'),
    ask(path, '-encoders'),
    ask(path, '-protocols'),
    findLauncher(),
  ]);
  const version = /^ffmpeg version (\S+)/.exec(versionText)?.[1] ?? 'unknown';
  const encoders = namesIn(encoderText);
  if (!encoders.has('libx264') || !encoders.has('aac')) {
    throw new Error(`The FFmpeg at ${path} has no libx264 or AAC encoder. Set FFMPEG_PATH to one that has both.`);
  }
  const cmaf = majorOf(version) >= oldestSystemMajor;
  const protocols = new Set([...protocolText.matchAll(/^\s+(\S+)$/gm)].map(match => match[1] ?? ''));
  return { path, version, decoders: namesIn(decoderText), encoders, protocols, launcher, cmaf };
}

/** DejaVu Sans, which has the letters of most European languages: of Debian and Ubuntu, Alpine, Fedora, Arch. */
const fontFiles = [
  '/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf',
  '/usr/share/fonts/dejavu/DejaVuSans.ttf',
  '/usr/share/fonts/dejavu-sans-fonts/DejaVuSans.ttf',
  '/usr/share/fonts/TTF/DejaVuSans.ttf',
];

/** Returns the font file for FFmpeg's `drawtext`; undefined if the filter or the font is missing. */
export async function findTextFont({ path }: Pick<Ffmpeg, 'path'>): Promise<string | undefined> {
  const filters = await ask(path, '-filters').catch(() => '');
  if (!filters.includes(' drawtext ')) return undefined;
  for (const file of fontFiles) {
    const isReadable = await access(file).then(
      () => true,
      () => false,
    );
    if (isReadable) return file;
  }
  return undefined;
}

/** How long `readinessOf` keeps an answer, ms. */
const keptMs = 15_000;

/**
 * Returns a check of whether the FFmpeg at the path still starts. It keeps each answer for 15 s: anybody may ask a node whether it is
 * ready, and a start takes up to 0.15 s of CPU.
 */
export function readinessOf(path: string, clock: Clock): () => Promise<boolean> {
  let kept = { until: -Infinity, answer: Promise.resolve(true) };
  return () => {
    if (clock.now() >= kept.until) kept = { until: clock.now() + keptMs, answer: starts(path) };
    return kept.answer;
  };
}

function starts(path: string): Promise<boolean> {
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

/** Returns 0 for development builds, whose version is a commit. */
function majorOf(version: string): number {
  return Number(/^n?(\d+)\./.exec(version)?.[1] ?? 0);
}

/** Parses lines such as ` V....D libx264   …`. */
function namesIn(listing: string): Set<string> {
  return new Set([...listing.matchAll(/^ [VAS][A-Z.]{5} (\S+)/gm)].map(match => match[1] ?? ''));
}

/** Uses setpriv of util-linux (Linux). */
async function findLauncher(): Promise<string[]> {
  const options = ['--pdeathsig', 'KILL', '--'];
  const works = await run('setpriv', [...options, 'true']).then(
    () => true,
    () => false,
  );
  return works ? ['setpriv', ...options] : [];
}

/** Names of FFmpeg's decoders; one per codec is enough. */
const decoderNames: Record<CodecName, string[]> = {
  opus: ['opus', 'libopus'],
  h264: ['h264'],
  vp8: ['vp8', 'libvpx'],
  vp9: ['vp9', 'libvpx-vp9'],
  av1: ['libdav1d', 'libaom-av1'],
};

export function canDecode({ decoders }: Ffmpeg, codec: CodecName): boolean {
  return decoderNames[codec].some(name => decoders.has(name));
}

/** Returns the command prefix that limits the memory. Without `prlimit` (util-linux, Linux) there is no limit. */
async function memoryLimit(bytes: number): Promise<string[]> {
  if (bytes === 0) return [];
  const limit = ['prlimit', `--data=${bytes}`, '--'];
  const works = await run('prlimit', [...limit.slice(1), 'true']).then(
    () => true,
    () => false,
  );
  return works ? limit : [];
}

/** Returns the command and its arguments, with the launcher prefix. */
export function launch({ launcher, path }: Ffmpeg, args: string[]): [string, string[]] {
  const [command, ...options] = launcher;
  return command === undefined ? [path, args] : [command, [...options, path, ...args]];
}

export interface OneRun {
  /** Bytes for stdin. */
  input: Buffer;
  /** 0: only the signal ends the process. */
  timeoutMs: number;
  mostOutputBytes: number;
  /** Takes FFmpeg's messages, if it succeeds. */
  onMessages?: (text: string) => void;
  /** Kills the process. */
  signal?: AbortSignal;
}

/** Runs FFmpeg once, from stdin to stdout. Kills the process and rejects above the limits. */
export async function convert(ffmpeg: Ffmpeg, args: string[], limits: OneRun): Promise<Buffer> {
  const { input, timeoutMs, mostOutputBytes, onMessages, signal } = limits;
  const converting = run(...launch(ffmpeg, args), {
    ...({ encoding: 'buffer', killSignal: 'SIGKILL' } as const),
    ...{ timeout: timeoutMs, maxBuffer: mostOutputBytes, ...(signal && { signal }) },
  });
  // FFmpeg may exit before it has read everything. Its exit code tells whether it failed.
  converting.child.stdin?.on('error', () => undefined).end(input);
  const { stdout, stderr } = await converting;
  onMessages?.(stderr.toString('utf8'));
  return stdout;
}
