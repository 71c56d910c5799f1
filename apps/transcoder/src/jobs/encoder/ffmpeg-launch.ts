import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { CodecName } from '@rtms/contracts';
import type { Ffmpeg } from './find-ffmpeg.js';

/** FFmpeg's names of the decoders, any of which will do. */
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

const run = promisify(execFile);

/**
 * Lets FFmpeg allocate so many bytes of data, stacks of its threads included: then it ends, and this node goes on. Where
 * the system has no `prlimit` (util-linux, on Linux), nothing is limited.
 */
export async function limitMemory(ffmpeg: Ffmpeg, bytes: number): Promise<Ffmpeg> {
  const limit = ['prlimit', `--data=${bytes}`, '--'];
  const works = await run('prlimit', [...limit.slice(1), 'true']).then(
    () => true,
    () => false,
  );
  return works ? { ...ffmpeg, launcher: [...ffmpeg.launcher, ...limit] } : ffmpeg;
}

/** What to start, and with which arguments. */
export function launch({ launcher, path }: Ffmpeg, args: string[]): [string, string[]] {
  const [command, ...options] = launcher;
  return command === undefined ? [path, args] : [command, [...options, path, ...args]];
}
