import ndc from 'node-datachannel';
import { StartFailure } from '../setup/start-failure.mjs';

/** @typedef {'audio' | 'video'} Kind */
/** @typedef {{ url: string, token: string }} Endpoint */

const timeoutMs = 10_000;
const payloadTypes = { opus: 111, h264: 106, vp8: 96 };
/** Constrained baseline, which every decoder plays. */
const h264Parameters = 'profile-level-id=42e01f;packetization-mode=1;level-asymmetry-allowed=1';

/** A WHEP viewer that receives the RTP packets of a playback over ICE, DTLS and SRTP, and decodes nothing. */
export class WhepPeer {
  #pc = new ndc.PeerConnection('viewer', { iceServers: [], forceMediaTransport: true });
  /** Referenced, because the native object calls them during its lifetime. @type {unknown[]} */
  #kept = [];
  /** @type {{ url: URL, headers: Record<string, string> } | undefined} */
  #resource;
  #closed = false;
  /** Resolves once the connection is lost or closed. @type {Promise<void>} */
  lost;

  /** @param {(kind: Kind, packet: Buffer) => void} onPacket */
  constructor(onPacket) {
    const audio = new ndc.Audio('0', 'RecvOnly');
    audio.addOpusCodec(payloadTypes.opus);
    const video = new ndc.Video('1', 'RecvOnly');
    video.addH264Codec(payloadTypes.h264, h264Parameters);
    video.addVP8Codec(payloadTypes.vp8);
    for (const [kind, section] of /** @type {const} */ ([
      ['audio', audio],
      ['video', video],
    ])) {
      const track = this.#pc.addTrack(section);
      // Reports what it receives, or the service would take it for dead.
      const reporting = new ndc.RtcpReceivingSession();
      track.setMediaHandler(reporting);
      track.onMessage(packet => onPacket(kind, packet));
      this.#kept.push(section, track, reporting);
    }
    /** @type {(value: void) => void} */
    let resolveLost = () => undefined;
    this.lost = new Promise(resolve => (resolveLost = resolve));
    this.#pc.onStateChange(state => ['disconnected', 'failed', 'closed'].includes(state) && resolveLost());
  }

  /** @param {Endpoint} endpoint */
  async connect({ url, token }) {
    const complete = new Promise(resolve => {
      this.#pc.onGatheringStateChange(state => state === 'complete' && resolve(undefined));
    });
    this.#pc.setLocalDescription('offer');
    await complete;
    const headers = { 'content-type': 'application/sdp', authorization: `Bearer ${token}` };
    const body = this.#pc.localDescription()?.sdp ?? '';
    const request = { method: 'POST', body, headers, signal: AbortSignal.timeout(timeoutMs) };
    const response = await fetch(url, request).catch(error => {
      throw new StartFailure(`No answer from ${new URL(url).origin}: ${error.message}.`);
    });
    const answer = await response.text();
    if (response.status !== 201) throw new StartFailure(`The service answered ${response.status}: ${answer}`);
    this.#resource = { url: new URL(response.headers.get('location') ?? '', url), headers };
    this.#pc.setRemoteDescription(answer, 'answer');
  }

  /** Ends the viewing with DELETE (WHEP). Safe to call twice. */
  async close() {
    if (this.#closed) return;
    this.#closed = true;
    const { url, headers } = this.#resource ?? {};
    if (url)
      await fetch(url, { method: 'DELETE', headers, signal: AbortSignal.timeout(timeoutMs) }).catch(() => undefined);
    this.#pc.close();
  }
}
