// One WHEP viewer as a process of its own (see whep-viewer.ts), because the peer library's threads outlive a test's
// module registry. It receives only audio and decodes nothing.
import { setTimeout as pause } from 'node:timers/promises';
import ndc from 'node-datachannel';

/** @typedef {import('./whep-viewer.js').WatchOptions} WatchOptions */

/** @type {import('node-datachannel').PeerConnection | undefined} */
let pc;
/** Keeps these objects from garbage collection while the connection is open. @type {unknown[]} */
const kept = [];
let packets = 0;

process.on('disconnect', () => process.exit());
process.on('message', message => {
  const options = /** @type {WatchOptions} */ (message);
  watch(options).then(
    () => tell({ connected: true }),
    error => tell({ refused: String(error) }),
  );
});

/** @param {object} report */
function tell(report) {
  process.send?.(report);
}

/** @param {WatchOptions} options */
async function watch({ url, token, payloadType, events }) {
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
  connection.setLocalDescription('offer');
  while (connection.gatheringState() !== 'complete') await pause(5);
  const authorization = `Bearer ${token}`;
  const headers = { 'content-type': 'application/sdp', authorization };
  const body = connection.localDescription()?.sdp ?? '';
  const response = await fetch(url, { method: 'POST', body, headers });
  const answer = await response.text();
  if (response.status !== 201) throw new Error(`WHEP ${response.status}: ${answer}`);
  connection.setRemoteDescription(answer, 'answer');
  while (connection.state() !== 'connected') await pause(5);
  connection.onStateChange(state => pc === connection && tell({ state }));
  if (events) await subscribe(`${new URL(response.headers.get('location') ?? '', url)}/events`, authorization);
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
