/** @weight 0.25 for 40 s */
import type { PlayerSource } from '@rtms/player';
import { waitFor } from '@rtms/testing';
import type { Page, Route } from 'playwright-core';
import type { PlayerReport } from '../browser/player-page.js';
import type { ApiClient } from './harness/api-client.js';
import { media, TestBrowser, untilCounted } from './harness/browser.js';
import { sharedStack } from './harness/shared-stack.js';

interface PlayerPage {
  play(source: PlayerSource): void;
  report(): PlayerReport;
  restartIce(whep: { url: string; token: string }): Promise<{ names: string[]; bytes: number }>;
  stop(): Promise<void>;
  remove(): void;
}

describe('<rtms-player> in Chromium', () => {
  let browser: TestBrowser;
  let api: ApiClient;
  let page: Page;
  let meetingID: string;
  let sessionID: string;
  let broadcastID: string;

  beforeAll(async () => {
    ({ api } = await sharedStack());
    browser = await TestBrowser.open({ entryPoint: 'test/browser/player-page.ts' });
    meetingID = await api.createRoom();
    const session = await api.openSession(meetingID);
    ({ sessionID } = session);
    const video = { width: 320, height: 180 };
    await media(await browser.openPage(), 'publishWithWhipWhep', { ...session.ingest, codec: 'video/H264', video });
    await api.sessionBecomes(meetingID, sessionID, 'active');
    ({ broadcastID } = await api.openBroadcast(meetingID, sessionID));
    await api.broadcastBecomes(meetingID, broadcastID, 'active');
  });
  afterAll(() => browser?.close());

  beforeEach(async () => {
    page = await browser.openPage();
  });
  afterEach(async () => {
    // The player may be asking just now.
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await page.close();
  });

  async function addresses() {
    const { playbackID, endpoint: url, token } = await api.openAdaptivePlayback(meetingID, sessionID);
    const { playbackUrl: hls } = await api.broadcastBecomes(meetingID, broadcastID, 'active');
    return { playbackID, whep: { url, token }, hls };
  }

  const inPage = <Name extends keyof PlayerPage>(name: Name, ...args: Parameters<PlayerPage[Name]>) =>
    page.evaluate(
      ([called, values]) =>
        (globalThis as unknown as { player: Record<string, (...given: unknown[]) => unknown> }).player[called]?.(
          ...values,
        ),
      [name, args] as [string, unknown[]],
    ) as Promise<Awaited<ReturnType<PlayerPage[Name]>>>;

  /** Resolves once the player shows ten more pictures by this transport. */
  async function showsMore(transport: string): Promise<PlayerReport> {
    const isIt = (seen: PlayerReport): boolean => seen.transport === transport && seen.frames > 0;
    const { frames } = await untilCounted(() => inPage('report'), isIt, { transport });
    // A new source of the element may begin to count at zero.
    let least = frames + 10;
    const enough = (seen: PlayerReport): boolean => {
      if (seen.frames < frames) least = 10;
      return isIt(seen) && seen.frames >= least;
    };
    return untilCounted(() => inPage('report'), enough, { transport, more: 10 });
  }

  it('plays by WHEP, measures it, and ends the playback when it is stopped', async () => {
    const { playbackID, whep, hls } = await addresses();
    await inPage('play', { whep, hls });
    await showsMore('whep');
    // On a busy machine pictures may wait for a moment, also the first behind the sound.
    const { heard } = await untilCounted(
      () => inPage('report'),
      ({ delayMs = Infinity, width }) => delayMs < 2_000 && width === 320,
      { delayMs: 2_000, width: 320 },
    );
    expect(heard.slice(0, 2)).toEqual(['whep', 'connecting']);
    // The player gives up an attempt that is slower than 8 s, and comes back to it.
    expect(heard.some(each => each.startsWith('playing'))).toBe(true);
    await inPage('stop');
    await api.playbackBecomes(meetingID, playbackID, 'ended');
    expect((await inPage('report')).heard.at(-1)).toBe('idle stopped');
  });

  it('plays by HLS while WHEP is refused, and returns to WHEP', async () => {
    const { playbackID, whep, hls } = await addresses();
    const refuse = (route: Route) => route.abort('connectionrefused');
    await page.route(whep.url, refuse);
    await inPage('play', { whep, hls });
    await showsMore('hls');
    await page.unroute(whep.url, refuse);
    const { heard } = await showsMore('whep');
    // On a busy machine a transport may stall, before and after the return.
    const transports = heard.filter(each => /^(?:whep|hls)/.test(each));
    expect(transports.slice(0, 3)).toEqual(['whep', 'hls unreachable', 'whep returned']);
    expect(heard[heard.indexOf('whep returned') + 1]).toBe('playing returned');
    await inPage('remove');
    await api.playbackBecomes(meetingID, playbackID, 'ended');
  });

  it('plays by HLS when no packet of WebRTC passes', async () => {
    const { whep, hls } = await addresses();
    // The candidates of the answer lead nowhere.
    await page.route(whep.url, async route => {
      const response = await route.fetch();
      const body = (await response.text()).replaceAll(/^a=candidate:.*\r\n/gm, '');
      await route.fulfill({ response, body });
    });
    await inPage('play', { whep, hls });
    const { heard } = await showsMore('hls');
    // The media node closes a viewer that does not connect, at about the time when the player gives up.
    expect(heard.slice(0, 5).join(', ')).toMatch(
      /^whep, connecting, hls (timeout|connection_lost), connecting \1, playing$/,
    );
  });

  it('restarts ICE, and media goes on', async () => {
    const { whep } = await addresses();
    // The media node closes a viewer that does not connect within 5 s, such as one on a busy machine, who then tries again.
    const { names, bytes } = await waitFor(() => inPage('restartIce', whep), { what: 'media after a restart of ICE' });
    expect([names.length, new Set(names).size, bytes > 0]).toEqual([2, 2, true]);
  });

  it('plays by HLS to the end of the broadcast', async () => {
    const { hls } = await addresses();
    await inPage('play', { hls });
    await showsMore('hls');
    await api.call('DELETE', `/v1/meetings/${meetingID}/broadcasts/${broadcastID}`);
    await untilCounted(
      () => inPage('report'),
      seen => seen.heard.at(-1) === 'ended broadcast_ended',
      { ended: true },
    );
  });
});
