// A page with `<rtms-player>`, and a publisher of media-page.ts.
import '@rtms/player/element';
import { offerOverHttp, type PlayerSource, type PlayerStatus } from '@rtms/player';
import './media-page.js';

/** Of the newest player. */
export interface PlayerReport {
  /** `transport` and `state reason`, in the order of their events. */
  heard: string[];
  frames: number;
  transport: string | undefined;
  width: number | undefined;
  delayMs: number | undefined;
}

const heard: string[] = [];

function play({ whep, hls = '' }: PlayerSource): void {
  const player = document.createElement('rtms-player');
  for (const type of ['transport', 'statechange']) {
    player.addEventListener(type, event => {
      const { state, transport, reason } = (event as CustomEvent<PlayerStatus>).detail;
      heard.push([type === 'transport' ? transport : state, reason].filter(Boolean).join(' '));
    });
  }
  Object.assign(player, { whep: whep?.url, token: whep?.token, hls, muted: true, autoplay: true });
  document.body.append(player);
}

function report(): PlayerReport {
  const player = document.querySelector('rtms-player');
  const video = player?.shadowRoot?.querySelector('video');
  const { transport, width, delayMs } = player?.stats ?? {};
  return { heard, frames: video?.getVideoPlaybackQuality().totalVideoFrames ?? 0, transport, width, delayMs };
}

const element = () => document.querySelector('rtms-player');

/** The names of ICE before and after a restart, and bytes that arrived after it. */
async function restartIce(whep: { url: string; token: string }): Promise<{ names: string[]; bytes: number }> {
  const connection = new RTCPeerConnection();
  for (const kind of ['video', 'audio']) connection.addTransceiver(kind, { direction: 'recvonly' });
  const session = await offerOverHttp(connection, whep);
  const name = (): string => /a=ice-ufrag:(\S+)/.exec(connection.currentRemoteDescription?.sdp ?? '')?.[1] ?? '';
  const names = [name()];
  await bytesBeyond(connection, 0);
  await session.restartIce();
  names.push(name());
  const before = await bytesBeyond(connection, 0);
  const bytes = (await bytesBeyond(connection, before + 20_000)) - before;
  await session.close();
  return { names, bytes };
}

/** Resolves with the received bytes once there are more than these; rejects when the connection fails. Its counters have no events. */
async function bytesBeyond(connection: RTCPeerConnection, least: number): Promise<number> {
  for (;;) {
    if (connection.connectionState === 'failed') throw new Error('the peer connection failed');
    let bytes = 0;
    (await connection.getStats()).forEach((each: RTCInboundRtpStreamStats) => {
      if (each.type === 'inbound-rtp') bytes += each.bytesReceived ?? 0;
    });
    if (bytes > least) return bytes;
    await new Promise(requestAnimationFrame);
  }
}

Object.assign(globalThis, {
  player: { play, report, restartIce, stop: () => element()?.stop(), remove: () => element()?.remove() },
});
