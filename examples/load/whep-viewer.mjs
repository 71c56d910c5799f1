import { setTimeout as pause } from 'node:timers/promises';
import ndc from 'node-datachannel';

/** H264 of the constrained baseline, as browsers offer it. */
const h264 = 'profile-level-id=42e01f;packetization-mode=1;level-asymmetry-allowed=1';

/** A busy machine is slow to answer and to connect. */
const withinMs = 60_000;

/**
 * A WHEP viewer that counts the bytes of its packets and decodes nothing. Resolves once media arrives.
 * @param {string} url @param {string} token
 */
export async function openWhepViewer(url, token) {
  const connection = new ndc.PeerConnection('viewer', { iceServers: [], forceMediaTransport: true });
  const audio = new ndc.Audio('0', 'RecvOnly');
  audio.addOpusCodec(111);
  const video = new ndc.Video('1', 'RecvOnly');
  video.addH264Codec(106, h264);
  video.addVP8Codec(96);
  let [bytes, faults] = [0, 0];
  let hear = () => {};
  const heard = new Promise(resolve => (hear = () => resolve(true)));
  /** The native objects live as long as these references. */
  const kept = [audio, video].map(section => {
    const track = connection.addTrack(section);
    const reports = new ndc.RtcpReceivingSession();
    track.setMediaHandler(reports);
    track.onMessage(packet => {
      bytes += packet.length;
      hear();
    });
    return { section, track, reports };
  });
  connection.onStateChange(state => void (['disconnected', 'failed'].includes(state) && faults++));

  const headers = { authorization: `Bearer ${token}` };
  const resource = await connect(connection, url, headers);
  const viewer = {
    received: () => ({ bytes, faults }),
    async close() {
      await fetch(resource, { method: 'DELETE', headers, signal: AbortSignal.timeout(withinMs) });
      connection.close();
      kept.length = 0;
    },
  };
  if (await Promise.race([heard, pause(withinMs, false, { ref: false })])) return viewer;
  await viewer.close();
  throw new Error(`No media within ${withinMs / 1000} s.`);
}

/**
 * Sends the offer and takes the answer. Returns the address of the viewer, for its end.
 * @param {ndc.PeerConnection} connection @param {string} url @param {Record<string, string>} authorization
 */
async function connect(connection, url, authorization) {
  const gathered = new Promise(resolve => {
    connection.onGatheringStateChange(state => state === 'complete' && resolve(undefined));
  });
  connection.setLocalDescription('offer');
  await gathered;
  const headers = { ...authorization, 'content-type': 'application/sdp' };
  const body = connection.localDescription()?.sdp ?? '';
  const response = await fetch(url, { method: 'POST', headers, body, signal: AbortSignal.timeout(withinMs) });
  const answer = await response.text();
  if (response.status !== 201) {
    connection.close();
    throw new Error(`${response.status} ${answer}`);
  }
  connection.setRemoteDescription(answer, 'answer');
  return new URL(response.headers.get('location') ?? '', url);
}
