// One WHEP viewer as a process of its own (see whep-viewer.ts), because the peer library's threads outlive a test's
// module registry. It decodes nothing.
import { setTimeout as pause } from 'node:timers/promises';
import { parseRtpPacket, pictureSizeOfPayload } from '@rtms/bitstream';
import ndc from 'node-datachannel';

/** @typedef {import('./whep-viewer.js').WatchOptions} WatchOptions */

/** @type {import('node-datachannel').PeerConnection | undefined} */
let pc;
/** Keeps these objects from garbage collection while the connection is open. @type {unknown[]} */
const kept = [];
let packets = 0;
/** The address of the session, and the headers of requests to it. @type {{ url: string; headers: Record<string, string> } | undefined} */
let session;
let height = 0;

process.on('disconnect', () => process.exit());
process.on('message', message => {
  const options = /** @type {WatchOptions | { layer: object | null }} */ (message);
  if ('layer' in options) return void choose(options.layer);
  watch(options).then(
    () => tell({ connected: true }),
    error => tell({ refused: String(error) }),
  );
});

/**
 * Ends this process if the parent has gone: sending can fail before `disconnect` is seen.
 *
 * @param {object} report
 */
function tell(report) {
  process.send?.(report, problem => problem && process.exit());
}

/** A service gives a viewer up that is not connected within seconds, and a player then tries again. */
const attempts = 5;

/** @param {WatchOptions} options @returns {Promise<void>} */
async function watch(options, attempt = 1) {
  const { url, token, payloadType, h264, events } = options;
  pc?.close();
  packets = 0;
  const connection = new ndc.PeerConnection('viewer', { iceServers: [], forceMediaTransport: true });
  pc = connection;
  const audio = new ndc.Audio('0', 'RecvOnly');
  audio.addOpusCodec(payloadType);
  const track = connection.addTrack(audio);
  const reporting = new ndc.RtcpReceivingSession();
  track.setMediaHandler(reporting);
  track.onMessage(() => ++packets % 50 === 1 && tell({ packets }));
  kept.push(connection, track, reporting);
  if (h264.length > 0) watchPicture(connection, h264);
  const authorization = `Bearer ${token}`;
  const location = await offer(connection, url, authorization);
  if (!(await connects(connection))) {
    if (attempt === attempts) throw new Error('the peer connection failed');
    return watch(options, attempt + 1);
  }
  connection.onStateChange(state => pc === connection && tell({ state }));
  if (events) await subscribe(`${location}/events`, authorization);
}

/**
 * Returns the address of the session.
 * @param {import('node-datachannel').PeerConnection} connection @param {string} url @param {string} authorization
 */
async function offer(connection, url, authorization) {
  connection.setLocalDescription('offer');
  while (connection.gatheringState() !== 'complete') await pause(5);
  const headers = { 'content-type': 'application/sdp', authorization };
  const body = connection.localDescription()?.sdp ?? '';
  const response = await fetch(url, { method: 'POST', body, headers });
  const answer = await response.text();
  if (response.status !== 201) throw new Error(`WHEP ${response.status}: ${answer}`);
  connection.setRemoteDescription(answer, 'answer');
  const location = new URL(response.headers.get('location') ?? '', url).href;
  session = { url: location, headers: { 'content-type': 'application/json', authorization } };
  return location;
}

/** @param {import('node-datachannel').PeerConnection} connection */
async function connects(connection) {
  for (;;) {
    const state = connection.state();
    if (state === 'connected' || state === 'failed') return state === 'connected';
    await pause(5);
  }
}

/** @param {import('node-datachannel').PeerConnection} connection @param {WatchOptions['h264']} h264 */
function watchPicture(connection, h264) {
  height = 0;
  const video = new ndc.Video('1', 'RecvOnly');
  for (const { payloadType, parameters } of h264) video.addH264Codec(payloadType, parameters);
  const track = connection.addTrack(video);
  const reporting = new ndc.RtcpReceivingSession();
  track.setMediaHandler(reporting);
  track.onMessage(message => {
    const packet = parseRtpPacket(Buffer.from(message));
    const size = packet && pictureSizeOfPayload('video/H264', packet.payload);
    if (!size || size.height === height) return;
    height = size.height;
    tell({ height });
  });
  kept.push(track, reporting);
}

/** Asks for a layer, or for all again. @param {object | null} layer */
async function choose(layer) {
  if (!session) return;
  const { url, headers } = session;
  const request = layer ? { method: 'POST', body: JSON.stringify(layer), headers } : { method: 'DELETE', headers };
  tell({ chosen: (await fetch(`${url}/layer`, request)).status });
}

/** @param {string} url @param {string} authorization */
async function subscribe(url, authorization) {
  const headers = { 'content-type': 'application/json', authorization };
  const subscribed = await fetch(url, { method: 'POST', body: '["reconnect"]', headers });
  const stream = await fetch(new URL(subscribed.headers.get('location') ?? '', url), { headers });
  void listen(stream).catch(() => tell({ streamEnded: true }));
}

/** @param {Response} stream */
async function listen(stream) {
  for await (const chunk of stream.body ?? []) {
    if (Buffer.from(chunk).toString().includes('event: reconnect')) tell({ told: 'reconnect' });
  }
  tell({ streamEnded: true });
}
