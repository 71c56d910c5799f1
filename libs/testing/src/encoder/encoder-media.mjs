// FFmpeg's arguments for the media of an encoder (see encoder-publisher.ts), and the ports that take FFmpeg's RTP. Media with default options
// is encoded once, stored and looped: live encoding needs a tenth of a core, copying almost nothing.
import { execFile } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { storedMedia } from './stored-media.mjs';

/** @typedef {import('./encoder-publisher.js').EncoderOptions} EncoderOptions */
/** @typedef {import('./encoder-publisher.js').EncoderMedia} EncoderMedia */
/** @typedef {'audio' | 'video'} Kind */
/** @typedef {Partial<Record<Kind, number>>} Destinations the local port of each kind of media */

const run = promisify(execFile);
const quiet = ['-hide_banner', '-loglevel', 'error'];
const defaults = { size: '160x90', frameRate: 10 };
const clipSeconds = 10;
/** Options that the stored clip does not have. */
const liveOptions = /** @type {const} */ (['size', 'frameRate', 'keyframeInterval', 'bitrate', 'preset', 'file']);

/**
 * Opens a local port for each kind. FFmpeg sends its RTP there. `close` is safe to call twice.
 * @param {readonly Kind[]} kinds
 * @param {(kind: Kind, packet: Buffer) => void} onPacket
 */
export async function openRtpPorts(kinds, onPacket) {
  const sockets = kinds.map(kind => createSocket('udp4', packet => onPacket(kind, packet)));
  /** @type {Destinations} */
  const destinations = {};
  for (const [index, socket] of sockets.entries()) {
    await once(socket.bind(0, '127.0.0.1'), 'listening');
    Object.assign(destinations, { [kinds[index] ?? '']: socket.address().port });
  }
  return { destinations, close: () => sockets.splice(0).forEach(socket => socket.close()) };
}

/**
 * @param {EncoderOptions} options
 * @param {Destinations} destinations
 */
export async function encoderArguments(options, destinations) {
  return isLive(options) ? liveArguments(options, destinations) : loopArguments(await clip(options), destinations);
}

/** @param {EncoderOptions} options */
function isLive({ faults = {}, ...options }) {
  // The network loses packets, not the encoder.
  const { lostOfTen, ...encoded } = faults;
  return Object.keys(encoded).length > 0 || liveOptions.some(name => options[name] !== undefined);
}

/** @param {EncoderOptions} options */
function clip(options) {
  const encode = [...videoEncoder(options), ...audioEncoder({}), '-t', String(clipSeconds), '-f', 'nut'];
  const command = [...quiet, ...picture(options), ...sound({}), ...encode];
  return storedMedia(command, 'nut', path => run('ffmpeg', [...command, path]));
}

/**
 * @param {string} path
 * @param {Destinations} destinations
 */
function loopArguments(path, { audio, video }) {
  return [
    ...[...quiet, '-re', '-stream_loop', '-1', '-i', path],
    ...output(['-map', '0:v', '-c', 'copy'], video),
    ...output(['-map', '0:a', '-c', 'copy'], audio),
  ];
}

/**
 * FFmpeg selects the input stream by the kind of the encoder.
 * @param {EncoderMedia} options
 * @param {Destinations} destinations
 */
export function liveArguments(options, { audio, video }) {
  const { faults = {}, file, clock } = options;
  const made = [
    ...(video === undefined ? [] : clock ? pictureWithClock(options, clock) : ['-re', ...picture(options)]),
    ...(audio === undefined ? [] : ['-re', ...sound(faults)]),
  ];
  const source = file === undefined ? (clock ? ['-map', '[picture]'] : []) : fitted(options);
  return [
    ...quiet,
    ...(file === undefined ? made : ['-re', '-stream_loop', '-1', '-i', `file:${file}`]),
    ...output(['-an', ...source, ...videoEncoder(options), ...slowed('video', faults)], video),
    ...output(['-vn', ...audioEncoder(faults)], audio),
  ];
}

/**
 * At most 720 lines, with even sides for yuv420p. Keeps the aspect ratio.
 * @param {EncoderMedia} options
 */
function fitted({ frameRate = defaults.frameRate }) {
  return ['-vf', `fps=${frameRate},scale=-2:'trunc(min(720,ih)/2)*2'`];
}

/** @param {EncoderMedia} options */
function picture({ size = defaults.size, frameRate = defaults.frameRate }) {
  return ['-f', 'lavfi', '-i', `testsrc2=size=${size}:rate=${frameRate}`];
}

/**
 * The test picture below a clock, whose grey frames come in real time on standard input and set the pace.
 * @param {EncoderMedia} options
 * @param {NonNullable<EncoderMedia['clock']>} clock
 */
function pictureWithClock(options, { width, height }) {
  const frames = ['-f', 'rawvideo', '-pixel_format', 'gray', '-video_size', `${width}x${height}`];
  const { size = defaults.size, frameRate = defaults.frameRate } = options;
  const [pictureWidth = 0] = size.split('x').map(Number);
  const scaled = `scale=${pictureWidth}:${Math.round((pictureWidth / width) * height)}:flags=neighbor`;
  return [
    ...picture(options),
    ...['-probesize', '32', ...frames, '-framerate', String(frameRate), '-i', 'pipe:0'],
    ...['-filter_complex', `[1:v]${scaled}[clock];[0:v][clock]overlay=shortest=1[picture]`],
  ];
}

/** @param {import('./encoder-publisher.js').EncoderFaults} faults */
function sound({ silent }) {
  return ['-f', 'lavfi', '-i', silent ? 'anullsrc=sample_rate=48000' : 'sine=frequency=440:sample_rate=48000'];
}

/** @param {EncoderMedia} options */
function videoEncoder({ profile = 'baseline', preset = 'superfast', bitrate, ...options }) {
  const { frameRate = defaults.frameRate, keyframeInterval = frameRate, faults = {} } = options;
  const { bFrames, sentProfile = profile } = faults;
  const encoder = ['-c:v', 'libx264', '-preset', preset, '-tune', 'zerolatency', '-pix_fmt', 'yuv420p'];
  // Parameter sets before each keyframe.
  const inBand = ['-bsf:v', 'dump_extra'];
  const rate = bitrate ? ['-b:v', bitrate, '-maxrate', bitrate, '-bufsize', bitrate] : [];
  const backward = bFrames ? ['-bf', String(bFrames), '-b_strategy', '0'] : [];
  return [...encoder, '-profile:v', sentProfile, '-g', String(keyframeInterval), ...inBand, ...rate, ...backward];
}

/** @param {import('./encoder-publisher.js').EncoderFaults} faults */
function audioEncoder(faults) {
  return ['-c:a', 'libopus', '-ac', '2', ...slowed('audio', faults)];
}

/**
 * @param {'audio' | 'video'} kind
 * @param {import('./encoder-publisher.js').EncoderFaults} faults
 */
function slowed(kind, { clockSpeed }) {
  if (clockSpeed === undefined) return [];
  if (kind === 'video') return ['-vf', `setpts=PTS*${clockSpeed}`];
  // Declares a higher sample rate than the real one, so the media plays faster.
  return ['-af', `asetrate=${Math.round(48_000 / clockSpeed)},aresample=48000`];
}

/**
 * @param {string[]} encoder
 * @param {number | undefined} port
 */
function output(encoder, port) {
  if (port === undefined) return [];
  return [...encoder, '-f', 'rtp', `rtp://127.0.0.1:${port}?pkt_size=1200`];
}
