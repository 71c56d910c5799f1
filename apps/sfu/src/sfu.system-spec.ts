/** @weight 0.45 for 10 s */
import { systemClock } from '@rtms/clock';
import { EncoderPublisher, freePort, launchChromium, waitFor } from '@rtms/testing';
import type { Browser, Page } from 'playwright-core';
import { MediasoupEngine } from './media/mediasoup/mediasoup-engine.js';
import { TestNode, TestPlane } from './testing/sfu-harness.js';

/** The functions that run inside the page. */
interface Peers {
  publish(url: string, token: string, codec: string): Promise<string>;
  watch(url: string, token: string): Promise<string>;
  framesShown(): number;
  audioPackets(): Promise<number>;
}

let browser: Browser;
let plane: TestPlane;
let node: TestNode<MediasoupEngine>;
let base: string;

beforeAll(async () => {
  browser = await launchChromium({ fakeMedia: true });
  plane = await TestPlane.open(systemClock);
  const engine = await MediasoupEngine.start({ workers: 1, clock: systemClock });
  const port = await freePort();
  base = `http://127.0.0.1:${port}`;
  node = await TestNode.openWith(plane, engine, { port, env: { PUBLIC_URL: base } });
});

afterAll(async () => {
  await browser.close();
  await node.close();
});

/** A page on a secure origin with one publisher or one viewer. */
async function openPage(): Promise<Page> {
  // The service's answers are never pages, and say so.
  const page = await browser.newPage({ bypassCSP: true });
  await page.goto(`${base}/healthz`);
  await page.evaluate(() => {
    let watching: RTCPeerConnection | undefined;
    const exchange = async (pc: RTCPeerConnection, url: string, token: string): Promise<string> => {
      await pc.setLocalDescription();
      const headers = { 'Content-Type': 'application/sdp', Authorization: `Bearer ${token}` };
      const body = pc.localDescription?.sdp ?? '';
      const response = await fetch(url, { method: 'POST', headers, body });
      const answer = await response.text();
      if (response.status !== 201) throw new Error(answer);
      await pc.setRemoteDescription({ type: 'answer', sdp: answer });
      return response.headers.get('Location') ?? '';
    };
    const stat = async (kind: string, name: string): Promise<number> => {
      const reports = [...((await watching?.getStats()) ?? new Map()).values()] as Record<string, unknown>[];
      const values = reports.filter(report => report['type'] === 'inbound-rtp' && report['kind'] === kind);
      return values.reduce((sum, report) => sum + Number(report[name] ?? 0), 0);
    };
    const peers: Peers = {
      publish: async (url, token, codec) => {
        const stream = await navigator.mediaDevices.getUserMedia({ audio: true, video: { width: 320, height: 240 } });
        const pc = new RTCPeerConnection();
        for (const track of stream.getTracks()) {
          const transceiver = pc.addTransceiver(track, { direction: 'sendonly', streams: [stream] });
          const all = RTCRtpSender.getCapabilities('video')?.codecs ?? [];
          if (track.kind === 'video')
            transceiver.setCodecPreferences(
              all.filter(({ mimeType }) => mimeType === codec || mimeType.includes('rtx')),
            );
        }
        return exchange(pc, url, token);
      },
      watch: async (url, token) => {
        watching = new RTCPeerConnection();
        watching.addTransceiver('audio', { direction: 'recvonly' });
        watching.addTransceiver('video', { direction: 'recvonly' });
        const video = document.body.appendChild(document.createElement('video'));
        const stream = new MediaStream();
        watching.ontrack = ({ track }) => stream.addTrack(track);
        Object.assign(video, { srcObject: stream, autoplay: true, muted: true });
        return exchange(watching, url, token);
      },
      framesShown: () => document.querySelector('video')?.getVideoPlaybackQuality().totalVideoFrames ?? 0,
      audioPackets: () => stat('audio', 'packetsReceived'),
    };
    Object.assign(window, { peers });
  });
  return page;
}

async function publish(page: Page, sessionID: string, codec: string): Promise<string> {
  const token = await plane.ingestToken(sessionID);
  const call = [`${base}/whip/${sessionID}`, token, codec] as const;
  return page.evaluate(given => (window as unknown as { peers: Peers }).peers.publish(...given), call);
}

async function watch(page: Page, playbackID: string): Promise<string> {
  const call = [`${base}/whep/${playbackID}`, await plane.playbackToken(playbackID)] as const;
  return page.evaluate(given => (window as unknown as { peers: Peers }).peers.watch(...given), call);
}

const framesShown = (page: Page) => page.evaluate(() => (window as unknown as { peers: Peers }).peers.framesShown());
const audioPackets = (page: Page) => page.evaluate(() => (window as unknown as { peers: Peers }).peers.audioPackets());

/** Resolves when the session is active the next time. Call it before the action. */
const becomesActive = (sessionID: string) =>
  plane.nextFactOf(sessionID, ({ type }) => type === 'external_session.active');
const isInterrupted = (sessionID: string) =>
  plane.nextFactOf(sessionID, ({ type }) => type === 'external_session.interrupted');

async function showsFrames(page: Page): Promise<void> {
  const before = await framesShown(page);
  await waitFor(async () => (await framesShown(page)) > before + 20, { what: 'frames to be shown' });
}

// chromium.system-spec.ts has all codecs.
describe('Chromium on real media', () => {
  it('publishes and plays, from POST to audio and video', async () => {
    await node.openSession('ext_1');
    await node.openPlayback('play_1', 'ext_1');
    const [publisher, viewer] = [await openPage(), await openPage()];
    const active = becomesActive('ext_1');
    await publish(publisher, 'ext_1', 'video/VP8');
    await active;
    await watch(viewer, 'play_1');
    await showsFrames(viewer);
    await waitFor(async () => (await audioPackets(viewer)) > 0, { what: 'sound to arrive' });
    await Promise.all([publisher.close(), viewer.close()]);
  });

  it('plays H264 of an encoder with FFmpeg’s offer', async () => {
    await node.openSession('ext_encoder');
    await node.openPlayback('play_encoder', 'ext_encoder');
    const token = await plane.ingestToken('ext_encoder');
    const active = becomesActive('ext_encoder');
    const url = `${base}/whip/ext_encoder`;
    const encoder = await EncoderPublisher.publish({ url, token, profile: 'baseline' });
    try {
      await active;
      const viewer = await openPage();
      await watch(viewer, 'play_encoder');
      await showsFrames(viewer);
      expect(await encoder.leave()).toBe(200);
      await viewer.close();
    } finally {
      await encoder.vanish();
    }
  });

  it('continues playing when the publisher reconnects', async () => {
    await node.openSession('ext_back');
    await node.openPlayback('play_back', 'ext_back');
    const [first, second, viewer] = [await openPage(), await openPage(), await openPage()];
    const active = becomesActive('ext_back');
    await publish(first, 'ext_back', 'video/VP8');
    await active;
    await watch(viewer, 'play_back');
    await showsFrames(viewer);
    const interrupted = isInterrupted('ext_back');
    await first.close();
    await interrupted;
    const activeAgain = becomesActive('ext_back');
    await publish(second, 'ext_back', 'video/VP8');
    await activeAgain;
    await showsFrames(viewer);
    await Promise.all([second.close(), viewer.close()]);
  });

  it('reports the death of the media worker, and accepts the publisher again', async () => {
    await node.openSession('ext_died');
    const active = becomesActive('ext_died');
    await publish(await openPage(), 'ext_died', 'video/VP8');
    await active;
    const [pid = 0] = node.engine.workerPids();
    const interrupted = isInterrupted('ext_died');
    process.kill(pid, 'SIGKILL');
    // The publisher's silence would be reported as publisher_lost.
    expect(await interrupted).toMatchObject({ reason: 'worker_lost' });
    const activeAgain = becomesActive('ext_died');
    await publish(await openPage(), 'ext_died', 'video/VP8');
    await activeAgain;
    expect(node.engine.workerPids()).not.toContain(pid);
  });
});
