// One encoder as a process of its own, told what to do by its parent (see encoder-publisher.ts). The peer
// library has threads that outlive a test's module registry; a process of its own keeps them apart.
import { spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import ndc from 'node-datachannel';
import { encoderArguments } from './encoder-media.mjs';
import { OutgoingStream } from './outgoing-stream.mjs';

/** @typedef {import('./encoder-publisher.js').EncoderOptions} EncoderOptions */

const audio = { payloadType: 111, ssrc: 1001, clockRate: 48_000 };
const video = { payloadType: 106, ssrc: 1002, clockRate: 90_000 };
const profileLevelIDs = { baseline: '42e01f', main: '4d001f', high: '64001f' };
/** An encoder that never connects gives up after this long, like OBS does. */
const connectTimeoutMs = 10_000;

const pc = new ndc.PeerConnection('encoder', { iceServers: [] });
/** @type {import('node:child_process').ChildProcess | undefined} */
let ffmpeg;
/** @type {(() => Promise<number>) | undefined} */
let deleteResource;
/** @type {EncoderOptions} */
let current;
/** @type {{ audio?: number, video?: number }} */
const ports = {};

process.on('disconnect', end);
process.on('message', async message => {
  const { publish, leave, change } =
    /** @type {{ publish?: EncoderOptions, leave?: boolean, change?: Partial<EncoderOptions> }} */ (message);
  if (publish) await open(publish).then(() => tell({ connected: true }), refuse);
  if (change) await encodeOtherwise(change).then(() => tell({ changed: true }), refuse);
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
  current = options;
  if (options.audio !== false) ports.audio = await portOf(pc.addTrack(audioSection()), audio);
  if (options.video !== false) ports.video = await portOf(pc.addTrack(videoSection(options)), video);
  pc.setLocalDescription('offer');
  while (pc.gatheringState() !== 'complete') await pause(5);
  await negotiate(options);
  await connected();
  await encode();
}

async function encode() {
  const { payloadType } = audio;
  const destinations = {
    audio: { payloadType, port: ports.audio },
    video: { payloadType: video.payloadType, port: ports.video },
  };
  // The kernel ends FFmpeg with this process, however it dies.
  const command = ['--pdeathsig', 'KILL', 'ffmpeg', ...(await encoderArguments(current, destinations))];
  ffmpeg = spawn('setpriv', command, { stdio: 'ignore' });
}

/** @param {Partial<EncoderOptions>} change */
async function encodeOtherwise(change) {
  current = { ...current, ...change };
  if (!ffmpeg) return;
  const gone = once(ffmpeg, 'exit');
  ffmpeg.kill('SIGKILL');
  await gone;
  await encode();
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
 * @param {{ ssrc: number, clockRate: number }} numbers
 */
async function portOf(track, numbers) {
  const socket = createSocket('udp4');
  const stream = new OutgoingStream(numbers);
  socket.on('message', packet => {
    const numbered = stream.next(packet, Date.now());
    if (track.isOpen() && !isLost(numbered)) track.sendMessageBinary(numbered);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return socket.address().port;
}

/** @param {Buffer} packet */
function isLost(packet) {
  return packet.readUInt16BE(2) % 10 < (current.faults?.lostOfTen ?? 0);
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
