import type { Clock } from '@rtms/clock';
import type { PeerTransport } from '../media/media-engine.js';
import { buildAnswer, answeredSetup, remoteDtlsRole } from '../sdp/build-answer.js';
import { parseOffer } from '../sdp/parse-offer.js';

const withinMs = 4_000;
/**
 * Native objects of the last handshakes. Threads of the library may still call back after `close`: an object that is collected
 * by then takes the process with it.
 */
const retained: object[] = [];
const mostRetained = 64;
const opus = { mimeType: 'audio/opus', payloadType: 111, clockRate: 48_000, channels: 2 };

/**
 * Connects to a transport of this node with another implementation of ICE and DTLS. `address` is one that this machine
 * reaches, since it may not reach itself by the announced address. Throws when the handshake is not done in time.
 */
export async function shakeHands(transport: PeerTransport, address: string, clock: Clock): Promise<void> {
  // Only diagnosis needs it: it starts threads of its own.
  const { default: ndc } = await import('node-datachannel');
  const peer = new ndc.PeerConnection('diagnosis', { iceServers: [], forceMediaTransport: true });
  try {
    const audio = new ndc.Audio('0', 'SendOnly');
    audio.addOpusCodec(opus.payloadType);
    const track = peer.addTrack(audio);
    retained.push(peer, track);
    retained.splice(0, retained.length - mostRetained);
    await inTime(clock, done => {
      peer.onGatheringStateChange(state => state === 'complete' && done());
      peer.setLocalDescription('offer');
    });
    const sdp = await answer(transport, peer.localDescription()?.sdp ?? '', address);
    await inTime(clock, done => {
      transport.onStateChange(state => state === 'connected' && done());
      peer.setRemoteDescription(sdp, 'answer');
    });
    track.close();
  } finally {
    peer.close();
  }
}

/** Resolves when `begin` calls `done`; rejects when that has not happened in time. */
function inTime(clock: Clock, begin: (done: () => void) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = clock.after(withinMs, () => reject(new Error(`no handshake within ${withinMs} ms`)));
    begin(() => {
      timer.cancel();
      resolve();
    });
  });
}

async function answer(transport: PeerTransport, sdp: string, address: string): Promise<string> {
  const offer = parseOffer(sdp);
  await transport.connect({ role: remoteDtlsRole(offer.setup), fingerprints: offer.fingerprints });
  const { fingerprints, ice } = transport;
  const candidates = ice.candidates
    .filter(({ protocol }) => protocol === 'udp')
    .map(candidate => ({ ...candidate, address }));
  const sections = offer.sections.map(section => ({
    section,
    direction: 'recvonly' as const,
    codecs: [{ ...opus, parameters: {}, rtcpFeedback: [] }],
    headerExtensions: [],
  }));
  return buildAnswer(sections, { ice: { ...ice, candidates }, fingerprints, setup: answeredSetup(offer.setup) });
}
