import { encodeIvf } from './ivf.js';
import { packetizeAv1, packetizeVp8 } from './packetize.js';

const frameRate = 25;

/** A second of VP8 in RTP payloads. */
export function vp8Frames(size: string): Buffer[][] {
  const encoder = ['-c:v', 'libvpx', '-deadline', 'realtime', '-cpu-used', '8', '-g', '100'];
  return encodeIvf({ encoder, size, frameRate, seconds: 1 }).map(({ data }, i) => packetizeVp8(data, i));
}

/** A second of AV1 in RTP payloads. */
export function av1Frames(size: string): Buffer[][] {
  const encoder = ['-c:v', 'libaom-av1', '-usage', 'realtime', '-cpu-used', '8', '-g', '100', '-lag-in-frames', '0'];
  return encodeIvf({ encoder, size, frameRate, seconds: 1 }).map(({ data }) => packetizeAv1(data));
}
