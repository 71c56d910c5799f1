import { setTimeout as pause } from 'node:timers/promises';
import type { PeerTransport } from '../media/media-engine.js';
import { buildAnswer, answeredSetup, remoteDtlsRole } from '../sdp/build-answer.js';
import { parseOffer } from '../sdp/parse-offer.js';

const withinMs = 4_000;
const lookEveryMs = 10;
const opus = { mimeType: 'audio/opus', payloadType: 111, clockRate: 48_000, channels: 2 };

/**
 * Connects to a transport of this node with another implementation of ICE and DTLS. `address` is one that this machine
 * reaches, since it may not reach itself by the one that is announced. Throws when it does not stand in time.
 */
export async function shakeHands(transport: PeerTransport, address: string): Promise<void> {
  // Only diagnosis needs it: it starts threads of its own.
  const { default: ndc } = await import('node-datachannel');
  const peer = new ndc.PeerConnection('diagnosis', { iceServers: [], forceMediaTransport: true });
  try {
    const audio = new ndc.Audio('0', 'SendOnly');
    audio.addOpusCodec(opus.payloadType);
    const track = peer.addTrack(audio);
    peer.setLocalDescription('offer');
    await until(() => peer.gatheringState() === 'complete');
    peer.setRemoteDescription(await answer(transport, peer.localDescription()?.sdp ?? '', address), 'answer');
    await until(() => transport.state === 'connected');
    track.close();
  } finally {
    peer.close();
  }
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

async function until(isSo: () => boolean): Promise<void> {
  for (const begun = Date.now(); !isSo(); await pause(lookEveryMs)) {
    if (Date.now() - begun > withinMs) throw new Error(`no handshake within ${withinMs} ms`);
  }
}
