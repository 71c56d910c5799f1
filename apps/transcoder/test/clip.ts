import { encodeIvf } from './ivf.js';
import { packetizeAv1, packetizeVp8 } from './packetize.js';
import { silentFrameMs, silentOpusFrame } from '../src/encoder/matroska/stream-writer.js';

/** One RTP packet at its place in a clip. */
export interface ClipPacket {
  /** When it is sent, from the beginning of the clip. */
  seconds: number;
  /** RTP time from the beginning of the clip. */
  timestamp: number;
  marker: boolean;
  payload: Buffer;
}

/** Media that a source plays in a loop. The video begins with a keyframe. */
export interface Clip {
  seconds: number;
  video: readonly ClipPacket[];
  audio: readonly ClipPacket[];
}

export const clockRates = { video: 90_000, audio: 48_000 };

const frameRate = 25;

/** Many tests of a file play the same. */
const clips = new Map<string, Clip>();

/** A second of VP8 and of silence. */
export function vp8Clip(size: string): Clip {
  const encoder = ['-c:v', 'libvpx', '-deadline', 'realtime', '-cpu-used', '8', '-g', '100'];
  return encodedClip(encoder, size, packetizeVp8);
}

/** A second of AV1 and of silence. */
export function av1Clip(size: string): Clip {
  const encoder = ['-c:v', 'libaom-av1', '-usage', 'realtime', '-cpu-used', '8', '-g', '100', '-lag-in-frames', '0'];
  return encodedClip(encoder, size, packetizeAv1);
}

function encodedClip(encoder: string[], size: string, packetize: (frame: Buffer, index: number) => Buffer[]): Clip {
  const key = [...encoder, size].join(' ');
  const encode = () => encodeIvf({ encoder, size, frameRate, seconds: 1 });
  const clip = clips.get(key) ?? clipOf(encode().map(({ data }, index) => packetize(data, index)));
  clips.set(key, clip);
  return clip;
}

/** @param frames the payloads of each frame */
function clipOf(frames: Buffer[][]): Clip {
  const video = frames.flatMap((payloads, frame) =>
    payloads.map((payload, i) => {
      const seconds = frame / frameRate;
      return { seconds, timestamp: seconds * clockRates.video, marker: i === payloads.length - 1, payload };
    }),
  );
  const audio = Array.from({ length: 1000 / silentFrameMs }, (_, i) => {
    const seconds = (i * silentFrameMs) / 1000;
    return { seconds, timestamp: seconds * clockRates.audio, marker: false, payload: silentOpusFrame };
  });
  return { seconds: frames.length / frameRate, video, audio };
}
