// One encoder as a process of its own, told what to do by its parent (see encoder-publisher.ts). The peer
// library has threads that outlive a test's module registry; a process of its own keeps them apart.
import { spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import ndc from 'node-datachannel';

/** @typedef {import('./encoder-publisher.js').EncoderOptions} EncoderOptions */

const audio = { payloadType: 111, ssrc: 1001 };
const video = { payloadType: 106, ssrc: 1002 };
const profileLevelIDs = { baseline: '42e01f', main: '4d001f', high: '64001f' };
/** An encoder that never connects gives up after this long, like OBS does. */
const connectTimeoutMs = 10_000;

const pc = new ndc.PeerConnection('encoder', { iceServers: [] });
/** @type {import('node:child_process').ChildProcess | undefined} */
let ffmpeg;
/** @type {(() => Promise<number>) | undefined} */
let deleteResource;

process.on('disconnect', end);
process.on('message', async message => {
  const { publish, leave } = /** @type {{ publish?: EncoderOptions, leave?: boolean }} */ (message);
  if (publish) await open(publish).then(() => tell({ connected: true }), refuse);
  if (leave) {
    tell({ left: (await deleteResource?.()) ?? 0 });
    end();
  }
});

/** @param {unknown} error */
function refuse(error) {
  tell({ refused: error instanceof Error ? error.message : String(error) });
  end();
}

/** @param {object} message */
function tell(message) {
  process.send?.(message);
}

function end() {
  ffmpeg?.kill('SIGKILL');
  process.exit();
}

/** @param {EncoderOptions} options */
async function open(options) {
  const audioPort = options.audio === false ? undefined : await portOf(pc.addTrack(audioSection()));
  const videoPort = options.video === false ? undefined : await portOf(pc.addTrack(videoSection(options)));
  pc.setLocalDescription('offer');
  while (pc.gatheringState() !== 'complete') await pause(5);
  await negotiate(options);
  await connected();
  // The kernel ends FFmpeg with this process, however it dies.
  const command = ['--pdeathsig', 'KILL', 'ffmpeg', ...ffmpegArguments(options, videoPort, audioPort)];
  ffmpeg = spawn('setpriv', command, { stdio: 'ignore' });
}

async function connected() {
  const deadline = Date.now() + connectTimeoutMs;
  while (pc.state() !== 'connected') {
    if (Date.now() > deadline || pc.state() === 'failed') throw new Error(`not connected: ${pc.state()}`);
    await pause(5);
  }
}

/** @param {EncoderOptions} options */
async function negotiate({ url, token }) {
  const headers = { 'content-type': 'application/sdp', authorization: `Bearer ${token}` };
  const body = asFfmpegOffers(pc.localDescription()?.sdp ?? '');
  const response = await fetch(url, { method: 'POST', body, headers });
  const answer = await response.text();
  if (response.status !== 201) throw new Error(`WHIP ${response.status}: ${answer}`);
  const resource = new URL(response.headers.get('location') ?? '', url);
  deleteResource = async () => (await fetch(resource, { method: 'DELETE', headers })).status;
  pc.setRemoteDescription(answer, 'answer');
}

/**
 * A local port whose packets go out on the track.
 * @param {import('node-datachannel').Track} track
 */
async function portOf(track) {
  const socket = createSocket('udp4');
  socket.on('message', packet => {
    if (track.isOpen()) track.sendMessageBinary(packet);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return socket.address().port;
}

function audioSection() {
  const section = new ndc.Audio('0', 'SendOnly');
  section.addOpusCodec(audio.payloadType);
  section.addSSRC(audio.ssrc, 'encoder', 'encoder', 'audio');
  return section;
}

/** @param {EncoderOptions} options */
function videoSection({ profile = 'baseline' }) {
  const section = new ndc.Video('1', 'SendOnly');
  const parameters = `profile-level-id=${profileLevelIDs[profile]};packetization-mode=1;level-asymmetry-allowed=1`;
  section.addH264Codec(video.payloadType, parameters);
  section.addSSRC(video.ssrc, 'encoder', 'encoder', 'video');
  return section;
}

/**
 * Takes out what FFmpeg's WHIP muxer does not offer.
 * @param {string} sdp
 */
function asFfmpegOffers(sdp) {
  return sdp
    .split('\r\n')
    .filter(line => !/^a=(extmap|rtcp-fb|ice-options)/.test(line))
    .map(line => line.replace('a=setup:actpass', 'a=setup:passive'))
    .join('\r\n');
}

/**
 * @param {EncoderOptions} options
 * @param {number | undefined} videoPort
 * @param {number | undefined} audioPort
 */
function ffmpegArguments(options, videoPort, audioPort) {
  const { size = '640x360', frameRate = 30, profile = 'baseline', keyframeInterval = frameRate } = options;
  const { preset = 'superfast', bitrate } = options;
  const encoder = ['-c:v', 'libx264', '-preset', preset, '-tune', 'zerolatency', '-pix_fmt', 'yuv420p'];
  const rate = bitrate ? ['-b:v', bitrate, '-maxrate', bitrate, '-bufsize', bitrate] : [];
  const shape = ['-profile:v', profile, '-g', String(keyframeInterval), '-bsf:v', 'dump_extra', ...rate];
  const picture = ['-re', '-f', 'lavfi', '-i', `testsrc2=size=${size}:rate=${frameRate}`];
  const sound = ['-re', '-f', 'lavfi', '-i', 'sine=frequency=440:sample_rate=48000'];
  return [
    ...['-hide_banner', '-loglevel', 'error'],
    ...[videoPort === undefined ? [] : picture, audioPort === undefined ? [] : sound].flat(),
    ...output([...encoder, ...shape], video, videoPort),
    ...output(['-c:a', 'libopus', '-ac', '2'], audio, audioPort),
  ];
}

/**
 * FFmpeg takes the input of the encoder's kind by itself.
 * @param {string[]} encoder
 * @param {{ payloadType: number, ssrc: number }} stream
 * @param {number | undefined} port
 */
function output(encoder, stream, port) {
  const others = stream === video ? '-an' : '-vn';
  return port === undefined ? [] : [others, ...encoder, ...rtp(stream, port)];
}

/**
 * @param {{ payloadType: number, ssrc: number }} stream
 * @param {number} port
 */
function rtp({ payloadType, ssrc }, port) {
  const numbers = ['-payload_type', String(payloadType), '-ssrc', String(ssrc)];
  return [...numbers, '-f', 'rtp', `rtp://127.0.0.1:${port}?pkt_size=1200`];
}
