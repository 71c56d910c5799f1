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

/** What to start, and with which arguments. */
export function launch({ launcher, path }: Ffmpeg, args: string[]): [string, string[]] {
  const [command, ...options] = launcher;
  return command === undefined ? [path, args] : [command, [...options, path, ...args]];
}
