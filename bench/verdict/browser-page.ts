// The page of a Chromium viewer: WHEP, or hls.js with CMCD.
import Hls from 'hls.js';
import { WHEPClient } from 'whip-whep/whep.js';

/** Totals since the page watches. */
export interface Watched {
  packets: number;
  lost: number;
  frames: number;
}

export interface ViewerPage {
  watchByWhep(url: string, token: string): Promise<void>;
  watchByHls(url: string, sessionID: string): Promise<void>;
  watched(): Promise<Watched>;
}

const video = Object.assign(document.createElement('video'), { muted: true, autoplay: true, playsInline: true });
document.body.append(video);
let connection: RTCPeerConnection | undefined;

const page: ViewerPage = {
  async watchByWhep(url, token) {
    connection = new RTCPeerConnection();
    connection.addTransceiver('video', { direction: 'recvonly' });
    connection.addEventListener('track', ({ track }) => (video.srcObject = new MediaStream([track])));
    await new WHEPClient().view(connection, url, token);
  },
  watchByHls(url, sessionID) {
    const player = new Hls({ cmcd: { sessionId: sessionID } });
    player.loadSource(url);
    player.attachMedia(video);
    return Promise.resolve();
  },
  async watched() {
    const seen = { packets: 0, lost: 0, frames: video.getVideoPlaybackQuality().totalVideoFrames };
    for (const report of (await connection?.getStats())?.values() ?? []) {
      const { type, packetsReceived = 0, packetsLost = 0 } = report as RTCInboundRtpStreamStats;
      if (type === 'inbound-rtp') Object.assign(seen, { packets: packetsReceived, lost: packetsLost });
    }
    return seen;
  },
};
Object.assign(globalThis, { viewer: page });
