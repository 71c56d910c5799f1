import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { launchChromium } from '@rtms/testing';
import type { Browser, Page } from 'playwright-core';

export interface CodecChoice {
  mimeType: string;
  /** H264: `profile-level-id`. */
  profile?: string;
  /** Simulcast: the RIDs of the layers in the order of the offer, with the factor by which each is smaller than 360p. */
  layers?: { rid: string; scaleResolutionDownBy: number }[];
}

/** The frames and samples that a page has decoded. */
export interface Decoded {
  frames: number;
  audioPackets: number;
  /** Of the picture shown now. */
  width: number;
}

/** Chromium with named peer connections. The caller does the signalling. */
export class BrowserPage {
  private constructor(
    private readonly server: Server,
    private readonly browser: Browser,
    private readonly page: Page,
  ) {}

  static async open(): Promise<BrowserPage> {
    const server = createServer((_request, response) => response.setHeader('content-type', 'text/html').end('<body>'));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const browser = await launchChromium({ fakeMedia: { framesPerSecond: 15 } });
    const page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    await page.evaluate(installPeers);
    return new BrowserPage(server, browser, page);
  }

  /** The offer of a connection that sends camera and microphone. */
  offerToPublish(name: string, choice: CodecChoice): Promise<string> {
    return this.page.evaluate(([id, codec]) => globalThis.peers.publish(id, codec), [name, choice] as const);
  }

  /**
   * The offer of a connection that receives audio and video, as the browser makes it by default; `renumbered` gives pairs of
   * payload types that change places.
   */
  offerToView(name: string, renumbered: [number, number][] = []): Promise<string> {
    return this.page.evaluate(([id, pairs]) => globalThis.peers.view(id, pairs), [name, renumbered] as const);
  }

  answer(name: string, sdp: string): Promise<void> {
    return this.page.evaluate(([id, answer]) => globalThis.peers.answer(id, answer), [name, sdp] as const);
  }

  /** Mutes the microphone of a publisher, which then sends silence. */
  listen(name: string, isOn: boolean): Promise<void> {
    return this.page.evaluate(([id, enabled]) => globalThis.peers.listen(id, enabled), [name, isOn] as const);
  }

  decoded(name: string): Promise<Decoded> {
    return this.page.evaluate(id => globalThis.peers.decoded(id), name);
  }

  /** Closes every connection, because Chromium would go on encoding. */
  closeConnections(): Promise<void> {
    return this.page.evaluate(() => globalThis.peers.closeAll());
  }

  async close(): Promise<void> {
    await this.browser.close();
    this.server.close();
  }
}

interface Peers {
  publish(id: string, choice: CodecChoice): Promise<string>;
  view(id: string, renumbered: readonly (readonly [number, number])[]): Promise<string>;
  answer(id: string, sdp: string): Promise<void>;
  listen(id: string, isOn: boolean): void;
  decoded(id: string): Promise<Decoded>;
  closeAll(): void;
}

declare global {
  var peers: Peers;
}

/** Runs in the page. */
function installPeers(): void {
  const connections = new Map<string, RTCPeerConnection>();
  const videos = new Map<string, HTMLVideoElement>();
  const create = (id: string): RTCPeerConnection => {
    const connection = new RTCPeerConnection();
    connections.set(id, connection);
    return connection;
  };
  const offer = async (connection: RTCPeerConnection): Promise<string> => {
    await connection.setLocalDescription();
    return connection.localDescription?.sdp ?? '';
  };
  const renumber = (sdp: string, pairs: readonly (readonly [number, number])[]): string => {
    const other = new Map(
      pairs.flatMap(([a, b]) => [[String(a), String(b)] as const, [String(b), String(a)] as const]),
    );
    const swap = (text: string): string => text.replace(/\d+/g, number => other.get(number) ?? number);
    return sdp
      .replace(/^(m=\w+ \d+ \S+)(.*)$/gm, (_line, head: string, numbers: string) => head + swap(numbers))
      .replace(/^(a=(?:rtpmap|fmtp|rtcp-fb):)(\d+)/gm, (_line, head: string, number: string) => head + swap(number))
      .replace(/apt=\d+|^a=fmtp:\d+ \d+(?:\/\d+)+$/gm, text =>
        text.startsWith('apt') ? swap(text) : text.replace(/ .*$/, swap),
      );
  };
  const isChosen = (codec: RTCRtpCodec, { mimeType, profile }: CodecChoice): boolean =>
    codec.mimeType === mimeType &&
    (profile === undefined || (codec.sdpFmtpLine ?? '').includes(`packetization-mode=1;profile-level-id=${profile}`));
  globalThis.peers = {
    async publish(id, choice) {
      const connection = create(id);
      const size = choice.layers ? { width: 640, height: 360 } : { width: 320, height: 240 };
      const stream = await navigator.mediaDevices.getUserMedia({ audio: true, video: size });
      for (const track of stream.getTracks()) {
        const layers = track.kind === 'video' && choice.layers && { sendEncodings: choice.layers };
        const transceiver = connection.addTransceiver(track, { direction: 'sendonly', streams: [stream], ...layers });
        if (track.kind === 'audio') continue;
        const all = RTCRtpSender.getCapabilities('video')?.codecs ?? [];
        const chosen = all.filter(codec => isChosen(codec, choice));
        if (chosen.length === 0) throw new Error(`The browser does not send ${choice.mimeType} ${choice.profile}.`);
        transceiver.setCodecPreferences([...chosen, ...all.filter(codec => codec.mimeType === 'video/rtx')]);
      }
      return offer(connection);
    },
    async view(id, renumbered) {
      const connection = create(id);
      connection.addTransceiver('audio', { direction: 'recvonly' });
      connection.addTransceiver('video', { direction: 'recvonly' });
      const video = Object.assign(document.createElement('video'), { muted: true, autoplay: true });
      const stream = new MediaStream();
      video.srcObject = stream;
      connection.addEventListener('track', event => stream.addTrack(event.track));
      document.body.append(video);
      videos.set(id, video);
      if (renumbered.length === 0) return offer(connection);
      const { sdp = '' } = await connection.createOffer();
      await connection.setLocalDescription({ type: 'offer', sdp: renumber(sdp, renumbered) });
      return connection.localDescription?.sdp ?? '';
    },
    async answer(id, sdp) {
      await connections.get(id)?.setRemoteDescription({ type: 'answer', sdp });
    },
    listen(id, isOn) {
      for (const { track } of connections.get(id)?.getSenders() ?? [])
        if (track?.kind === 'audio') track.enabled = isOn;
    },
    async decoded(id) {
      let audioPackets = 0;
      (await connections.get(id)?.getStats())?.forEach((report: RTCInboundRtpStreamStats) => {
        if (report.type === 'inbound-rtp' && report.kind === 'audio') audioPackets += report.packetsReceived ?? 0;
      });
      const video = videos.get(id);
      const frames = video?.getVideoPlaybackQuality().totalVideoFrames ?? 0;
      return { frames, audioPackets, width: video?.videoWidth ?? 0 };
    },
    closeAll() {
      for (const connection of connections.values()) {
        for (const { track } of connection.getSenders()) track?.stop();
        connection.close();
      }
      for (const video of videos.values()) video.remove();
      connections.clear();
      videos.clear();
    },
  };
}
