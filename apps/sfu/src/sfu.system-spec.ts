import { systemClock } from '@rtms/clock';
import { EncoderPublisher, freePort, launchChromium, waitFor } from '@rtms/testing';
import type { Browser, Page } from 'playwright-core';
import { MediasoupEngine } from './media/mediasoup/mediasoup-engine.js';
import { TestNode, TestPlane } from './testing/sfu-harness.js';

/** What runs inside the page. */
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

/** Whether the session's state that was reported last is active. Reports of its health are no states. */
function isActive(sessionID: string): boolean {
  const states = plane.factTypesOf(sessionID).filter(type => type !== 'external_session.health');
  return states.at(-1) === 'external_session.active';
}

describe('Chromium on real media', () => {
  it.each(['video/VP8', 'video/VP9', 'video/H264', 'video/AV1'])('publishes %s and watches it', async codec => {
    const name = codec.slice(-3);
    await node.openSession(`ext_${name}`);
    await node.openPlayback(`play_${name}`, `ext_${name}`);
    const [publisher, viewer] = [await openPage(), await openPage()];
    await publish(publisher, `ext_${name}`, codec);
    await waitFor(() => isActive(`ext_${name}`), { what: 'the session to be active', timeoutMs: 20_000 });
    await watch(viewer, `play_${name}`);
    await waitFor(async () => (await framesShown(viewer)) > 20, { what: 'frames to be shown', timeoutMs: 20_000 });
    await waitFor(async () => (await audioPackets(viewer)) > 0, { what: 'sound to arrive', timeoutMs: 20_000 });
    await Promise.all([publisher.close(), viewer.close()]);
  });

  it.each(['baseline', 'main', 'high'] as const)(
    'watches H264 %s of an encoder that offers as FFmpeg does',
    async profile => {
      const [sessionID, playbackID] = [`ext_${profile}`, `play_${profile}`];
      await node.openSession(sessionID);
      await node.openPlayback(playbackID, sessionID);
      const token = await plane.ingestToken(sessionID);
      const encoder = await EncoderPublisher.publish({ url: `${base}/whip/${sessionID}`, token, profile });
      try {
        await waitFor(() => isActive(sessionID), { what: 'the session to be active', timeoutMs: 20_000 });
        const viewer = await openPage();
        await watch(viewer, playbackID);
        await waitFor(async () => (await framesShown(viewer)) > 20, { what: 'frames to be shown', timeoutMs: 20_000 });
        expect(await encoder.leave()).toBe(200);
        await viewer.close();
      } finally {
        await encoder.vanish();
      }
    },
  );

  it('goes on watching when the publisher was gone and came back', async () => {
    await node.openSession('ext_back');
    await node.openPlayback('play_back', 'ext_back');
    const [first, viewer] = [await openPage(), await openPage()];
    await publish(first, 'ext_back', 'video/VP8');
    await waitFor(() => isActive('ext_back'), { what: 'the session to be active', timeoutMs: 20_000 });
    await watch(viewer, 'play_back');
    await waitFor(async () => (await framesShown(viewer)) > 20, { what: 'frames to be shown', timeoutMs: 20_000 });
    await first.close();
    await waitFor(() => !isActive('ext_back'), { what: 'the session to be interrupted', timeoutMs: 20_000 });
    await publish(await openPage(), 'ext_back', 'video/VP8');
    await waitFor(() => isActive('ext_back'), { what: 'the session to be active again', timeoutMs: 20_000 });
    const before = await framesShown(viewer);
    await waitFor(async () => (await framesShown(viewer)) > before + 20, {
      what: 'frames of the second publisher',
      timeoutMs: 20_000,
    });
  });

  it('notices within two seconds that the media worker died, and takes the publisher in again', async () => {
    await node.openSession('ext_died');
    await publish(await openPage(), 'ext_died', 'video/VP8');
    await waitFor(() => isActive('ext_died'), { what: 'the session to be active', timeoutMs: 20_000 });
    const [pid = 0] = node.engine.workerPids();
    process.kill(pid, 'SIGKILL');
    await waitFor(() => !isActive('ext_died'), { what: 'the session to be interrupted', timeoutMs: 2000 });
    expect(plane.factsOf('ext_died').at(-1)).toMatchObject({ reason: 'worker_lost' });
    const page = await openPage();
    await waitFor(() => publish(page, 'ext_died', 'video/VP8'), { what: 'the publisher to be taken in' });
    await waitFor(() => isActive('ext_died'), { what: 'the session to be active again', timeoutMs: 20_000 });
    expect(node.engine.workerPids()).not.toContain(pid);
  });
});
