import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import ndc from 'node-datachannel';
import { OutgoingStream } from './outgoing-stream.mjs';
import { ReportWatch, silentAfterMs } from './report-watch.mjs';

/** @typedef {'audio' | 'video'} Kind */
/** @typedef {Record<Kind, { payloadType: number, port: number | undefined }>} Destinations */

/**
 * @typedef {object} WhipPeerOptions
 * @property {boolean} [audio] default true
 * @property {boolean} [video] default true
 * @property {'baseline' | 'main' | 'high'} [profile] of H264; default `baseline`
 * @property {(packet: Buffer) => boolean} [isLost] the peer does not send such an RTP packet
 */

const numbers = {
  audio: { payloadType: 111, ssrc: 1001, clockRate: 48_000 },
  video: { payloadType: 106, ssrc: 1002, clockRate: 90_000 },
};
const profileLevelIDs = { baseline: '42e01f', main: '4d001f', high: '64001f' };
/** The peer ends a connection attempt after this time, as OBS does. */
const connectTimeoutMs = 10_000;
const requestTimeoutMs = 10_000;

/** The service's answer to a WHIP request that it refused. */
export class WhipRefusal extends Error {
  /** @param {Response} response @param {string} body */
  constructor(response, body) {
    super(`WHIP ${response.status}: ${body}`);
    this.name = 'WhipRefusal';
    this.status = response.status;
    this.body = body;
  }
}

/**
 * A WHIP publisher that sends the RTP packets of local UDP ports over ICE, DTLS and SRTP. It offers what FFmpeg's WHIP muxer
 * offers: `setup:passive`, no header extensions, no feedback, no trickle.
 */
export class WhipPeer {
  #pc = new ndc.PeerConnection('encoder', { iceServers: [] });
  /** @type {import('node:dgram').Socket[]} */
  #sockets = [];
  /** Referenced, because the native object calls the tracks during its lifetime. @type {import('node-datachannel').Track[]} */
  #tracks = [];
  /** @type {{ url: URL, headers: Record<string, string> } | undefined} */
  #resource;
  #isLost;
  #closed = false;
  /** @type {{ wanted: string[], resolve: (state: string) => void }[]} */
  #awaited = [];
  /** @type {ReportWatch | undefined} */
  #watch;
  /** The local ports that the peer reads. @type {Destinations} */
  destinations = {
    audio: { payloadType: numbers.audio.payloadType, port: undefined },
    video: { payloadType: numbers.video.payloadType, port: undefined },
  };
  /** Resolves once the connection is lost or closed, or the service sends no RTCP any more. @type {Promise<void>} */
  lost;

  /** @param {WhipPeerOptions} options */
  constructor({ isLost = () => false }) {
    this.#isLost = isLost;
    this.#pc.onStateChange(state => this.#tell(state));
    this.lost = this.#becomes('disconnected', 'failed', 'closed', 'silent').then(() => undefined);
  }

  /** @param {WhipPeerOptions} [options] */
  static async open(options = {}) {
    const peer = new WhipPeer(options);
    if (options.audio !== false) await peer.#send('audio', audioSection());
    if (options.video !== false) await peer.#send('video', videoSection(options));
    return peer;
  }

  /**
   * Publishes. Rejects with a `WhipRefusal` when the service refuses, and with another error if the connection fails.
   * @param {{ url: string, token: string }} ingest
   */
  async connect({ url, token }) {
    const connected = this.#becomes('connected', 'failed', 'closed');
    await this.#gather();
    const headers = { 'content-type': 'application/sdp', authorization: `Bearer ${token}` };
    const body = asFfmpegOffers(this.#pc.localDescription()?.sdp ?? '');
    const signal = AbortSignal.timeout(requestTimeoutMs);
    const response = await fetch(url, { method: 'POST', body, headers, signal });
    const answer = await response.text();
    if (response.status !== 201) throw new WhipRefusal(response, answer);
    this.#resource = { url: new URL(response.headers.get('location') ?? '', url), headers };
    this.#pc.setRemoteDescription(answer, 'answer');
    const state = await within(connectTimeoutMs, connected);
    if (state !== 'connected') throw new Error(`not connected: ${state ?? this.#pc.state()}`);
    const limitMs = this.destinations.video.port === undefined ? silentAfterMs.audio : silentAfterMs.video;
    this.#watch = new ReportWatch(limitMs, () => this.#tell('silent'));
  }

  /** Ends the session with DELETE (WHIP). Returns the status; undefined if nothing was published. */
  async leave() {
    if (!this.#resource) return undefined;
    const { url, headers } = this.#resource;
    this.#resource = undefined;
    const response = await fetch(url, { method: 'DELETE', headers, signal: AbortSignal.timeout(requestTimeoutMs) });
    return response.status;
  }

  /** Ends without a request to the service. Safe to call twice. */
  close() {
    if (this.#closed) return;
    this.#closed = true;
    this.#watch?.close();
    for (const socket of this.#sockets) socket.close();
    this.#pc.close();
  }

  /** @param {string} state of the connection, or `silent` */
  #tell(state) {
    for (const each of this.#awaited) if (each.wanted.includes(state)) each.resolve(state);
  }

  /** @param {string[]} wanted @returns {Promise<string>} */
  #becomes(...wanted) {
    return new Promise(resolve => this.#awaited.push({ wanted, resolve }));
  }

  async #gather() {
    const complete = new Promise(resolve => {
      this.#pc.onGatheringStateChange(state => state === 'complete' && resolve(undefined));
    });
    this.#pc.setLocalDescription('offer');
    await complete;
  }

  /** @param {Kind} kind @param {import('node-datachannel').Audio | import('node-datachannel').Video} section */
  async #send(kind, section) {
    const track = this.#pc.addTrack(section);
    // Only RTCP comes back on a track that sends.
    track.onMessage(() => this.#watch?.hear());
    const socket = createSocket('udp4');
    const stream = new OutgoingStream(numbers[kind]);
    socket.on('message', packet => {
      const numbered = stream.next(packet, Date.now());
      if (track.isOpen() && !this.#isLost(numbered)) track.sendMessageBinary(numbered);
    });
    this.#tracks.push(track);
    this.#sockets.push(socket);
    socket.bind(0, '127.0.0.1');
    await once(socket, 'listening');
    this.destinations[kind].port = socket.address().port;
  }
}

/**
 * @template T
 * @param {number} ms
 * @param {Promise<T>} promise
 * @returns {Promise<T | undefined>}
 */
async function within(ms, promise) {
  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  const late = new Promise(resolve => {
    timer = setTimeout(resolve, ms);
  }).then(() => undefined);
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

function audioSection() {
  const section = new ndc.Audio('0', 'SendOnly');
  section.addOpusCodec(numbers.audio.payloadType);
  section.addSSRC(numbers.audio.ssrc, 'encoder', 'encoder', 'audio');
  return section;
}

/** @param {WhipPeerOptions} options */
function videoSection({ profile = 'baseline' }) {
  const section = new ndc.Video('1', 'SendOnly');
  const parameters = `profile-level-id=${profileLevelIDs[profile]};packetization-mode=1;level-asymmetry-allowed=1`;
  section.addH264Codec(numbers.video.payloadType, parameters);
  section.addSSRC(numbers.video.ssrc, 'encoder', 'encoder', 'video');
  return section;
}

/**
 * Removes the lines that FFmpeg's WHIP muxer does not offer. This peer does not resend packets and ignores keyframe requests.
 * @param {string} sdp
 */
function asFfmpegOffers(sdp) {
  return sdp
    .split('\r\n')
    .filter(line => !/^a=(extmap|rtcp-fb|ice-options)/.test(line))
    .map(line => line.replace('a=setup:actpass', 'a=setup:passive'))
    .join('\r\n');
}
