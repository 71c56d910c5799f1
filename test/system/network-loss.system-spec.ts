/** @weight 0.3 for 45 s */
import { freePort, waitFor } from '@rtms/testing';
import type { Page } from 'playwright-core';
import type { WhepReport } from '../browser/whep-page.js';
import { media, TestBrowser } from './harness/browser.js';
import { HlsPlayer } from './harness/hls-player.js';
import { LossyLink } from './harness/lossy-link.js';
import { startStack, type Stack } from './harness/stack.js';

describe('a publisher whose network loses 5 % of the packets and delays them by up to 30 ms', () => {
  let stack: Stack;
  let link: LossyLink;
  let browser: TestBrowser;
  let publisher: Page;
  let viewer: Page;
  let meetingID: string;
  let sessionID: string;
  let player: HlsPlayer;

  beforeAll(async () => {
    const port = await freePort();
    link = await LossyLink.open(port);
    Object.assign(link, { loss: 0.05, jitterMs: 30 });
    const rtc = { RTC_LISTEN_IP: '127.0.0.1', RTC_ANNOUNCED_ADDRESS: link.address, RTC_MIN_PORT: '40000' };
    stack = await startStack({ env: { ...rtc, GRACE_SECONDS: '120' } });
    await stack.sfu.stop();
    stack.sfu.configure({ RTC_PORT: String(port) });
    await stack.sfu.start();
    browser = await TestBrowser.open({ entryPoint: 'test/browser/whep-page.ts' });
    const { api } = stack;
    meetingID = await api.createRoom();
    const session = await api.openSession(meetingID);
    sessionID = session.sessionID;
    const camera = { width: 320, height: 180, frameRate: 15 };
    publisher = await browser.openPage();
    const { url, token } = session.ingest;
    await media(publisher, 'publishWithWhipWhep', { url, token, codec: 'video/VP8', video: camera });
  });

  afterAll(async () => {
    await browser?.close();
    link?.close();
    await stack?.close();
  });

  const seen = (): Promise<WhepReport> =>
    viewer.evaluate(() => (globalThis as unknown as { whep: { report(): Promise<WhepReport> } }).whep.report());

  /** Without time for the browser, its publisher may lose its connection. Nothing else interrupts the session. */
  async function isActive(): Promise<void> {
    const { state } = await stack.api.session(meetingID, sessionID);
    await stack.api.sessionBecomes(meetingID, sessionID, 'active');
    if (state !== 'active') expect(await media(publisher, 'watched')).not.toMatchObject({ losses: 0 });
  }

  it('is active, and plays by WHEP and HLS', async () => {
    const { api } = stack;
    await api.sessionBecomes(meetingID, sessionID, 'active');
    const { endpoint, token } = await api.openPlayback(meetingID, sessionID);
    viewer = await browser.openPage();
    await media(viewer, 'watchWithWhipWhep', { url: endpoint, token });
    const { broadcastID } = await api.openBroadcast(meetingID, sessionID);
    const { playbackUrl } = await api.broadcastBecomes(meetingID, broadcastID, 'active');
    player = await HlsPlayer.open(playbackUrl);
    expect((await seen()).remoteAddress).toBe(link.address);
  });

  it('retransmits lost packets, so that viewers miss almost nothing', async () => {
    const before = { ...link.counts };
    let from = await seen();
    // A lost packet counts as lost until it comes again, which takes longer on a busy machine. That loses packets for good at times: later
    // ones are looked at then.
    const isRepaired = async () => {
      const now = await seen();
      const received = now.packetsReceived - from.packetsReceived;
      if (received < 200 || now.framesDecoded <= from.framesDecoded + 60) return false;
      const hasLost = (now.packetsLost - from.packetsLost) / received >= 0.01;
      if (hasLost && received >= 400) from = now;
      return !hasLost;
    };
    await waitFor(isRepaired, { what: '200 packets and 60 pictures with a loss below 1 %' });
    const { lost, sent } = link.counts;
    // Of some hundreds of packets, chance may take much less than 5 %.
    expect((lost - before.lost) / (sent - before.sent)).toBeGreaterThan(0.01);
  });

  it('is broadcast without a discontinuity, in segments of full length', async () => {
    await player.grows(3);
    const [sinceBreak = '', ...broken] = (await player.playlist()).split('#EXT-X-DISCONTINUITY\n').reverse();
    // The slate comes between while the publisher has no connection.
    const { losses } = await media(publisher, 'watched');
    expect(broken.length > 0 && losses === 0).toBe(false);
    const durations = [...sinceBreak.matchAll(/#EXTINF:([0-9.]+)/g)].map(([, seconds]) => Number(seconds));
    expect(durations.length).toBeGreaterThanOrEqual(losses > 0 ? 1 : 3);
    expect(durations.filter(seconds => Math.abs(seconds - 2) > 0.2)).toEqual([]);
    await isActive();
  });

  it('has high_loss in its health once 20 % are lost, and stays active', async () => {
    const isHigh = async () => (await stack.api.session(meetingID, sessionID)).health?.includes('high_loss');
    link.loss = 0;
    await waitFor(async () => !(await isHigh()), { everyMs: 100, what: 'the health to have no high_loss' });
    link.loss = 0.2;
    await waitFor(isHigh, { everyMs: 100, what: 'the health to have high_loss' });
    await isActive();
  });
});
