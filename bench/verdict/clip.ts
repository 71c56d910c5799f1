import { encodeIvf } from '../../apps/transcoder/test/ivf.js';

const [frameRate, keyframeInterval] = [30, 60];
/** A decoder must be able to show the clip, and its rate must not depend on the picture. */
const noise = ['-vf', 'noise=alls=60:allf=t'];
const packetBytes = 1_100;

/** VP8 of 320 × 180 with this rate, as payloads of each frame (RFC 7741). The first frame is the only keyframe, so the clip can be looped. */
export function encodeClip(kilobits: number): Buffer[][] {
  const rate = `${kilobits}k`;
  const constant = ['-b:v', rate, '-minrate', rate, '-maxrate', rate, '-bufsize', rate];
  const fast = ['-deadline', 'realtime', '-cpu-used', '8', '-auto-alt-ref', '0', '-lag-in-frames', '0'];
  const encoder = [...noise, '-c:v', 'libvpx', ...constant, ...fast, '-g', String(10 * keyframeInterval)];
  const frames = encodeIvf({ encoder, size: '320x180', frameRate, seconds: keyframeInterval / frameRate });
  return frames.map(({ data }) => payloadsOf(data));
}

/** With descriptors of one byte, as `ReportingViewer` reads them. */
function payloadsOf(frame: Buffer): Buffer[] {
  const count = Math.max(1, Math.ceil(frame.length / packetBytes));
  return Array.from({ length: count }, (_, index) =>
    Buffer.concat([Buffer.of(index === 0 ? 0x10 : 0), frame.subarray(index * packetBytes, (index + 1) * packetBytes)]),
  );
}
