import { EncoderPublisher, waitFor } from '@rtms/testing';
import type { Page } from 'playwright-core';
import type { Playback } from './harness/api-client.js';
import { media, TestBrowser } from './harness/browser.js';
import type { ServiceProcess } from './harness/service-process.js';
import { startStack, type Stack } from './harness/stack.js';

/** Two viewers of audio and video for each node. */
const small = { SFU_WORKERS: '1', CONSUMERS_PER_WORKER: '4' };

describe('a room with more viewers than its node can serve', () => {
  let stack: Stack;
  let browser: TestBrowser;
  let second: ServiceProcess;
  let encoder: EncoderPublisher | undefined;
  const pages: Page[] = [];

  beforeAll(async () => {
    [stack, browser] = await Promise.all([startStack({ env: small }), TestBrowser.launch()]);
    second = await stack.addSfu('sfu-2', small);
  }, 180_000);

  afterAll(async () => {
    await encoder?.vanish();
    await browser?.close();
    await stack?.close();
  });

  async function valueOf(service: ServiceProcess, name: string): Promise<number> {
    const text = await (await fetch(`${service.url}/metrics`)).text();
    const lines = text.split('\n').filter(line => line.startsWith(`${name}{`) || line.startsWith(`${name} `));
    return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
  }

  /** A further viewer, who sees moving pictures. */
  async function watch({ endpoint: url, token }: Playback): Promise<Page> {
    const page = await browser.openPage();
    pages.push(page);
    await media(page, 'watchWithWhipWhep', { url, token });
    await sees(page);
    return page;
  }

  async function sees(page: Page): Promise<void> {
    const { frames } = await media(page, 'watched');
    const isSeenAndHeard = async (): Promise<boolean> => {
      const now = await media(page, 'watched');
      return now.frames > frames + 10 && now.audioPackets > 0;
    };
    await waitFor(isSeenAndHeard, { timeoutMs: 40_000, what: 'moving pictures and sound' });
  }

  async function isEmpty(service: ServiceProcess): Promise<boolean> {
    const names = ['rtms_sfu_consumers', 'rtms_sfu_pipes', 'rtms_sfu_relayed_viewers'];
    const values = await Promise.all(names.map(name => valueOf(service, name)));
    return values.every(value => value === 0);
  }

  it('shows it to them by another node, also after that one was killed, until the publisher leaves', async () => {
    const meetingID = await stack.api.createRoom();
    const { sessionID, ingest } = await stack.api.openSession(meetingID);
    encoder = await EncoderPublisher.publish(ingest);
    await stack.api.sessionBecomes(meetingID, sessionID, 'active');
    const playback = await stack.api.openPlayback(meetingID, sessionID);
    const [owner, relay] = ingest.url.startsWith(second.url) ? [second, stack.sfu] : [stack.sfu, second];

    for (let viewers = 0; viewers < 2; viewers++) await watch(playback);
    expect(await valueOf(relay, 'rtms_sfu_consumers')).toBe(0);
    const further = await watch(playback);
    expect(await valueOf(owner, 'rtms_sfu_viewers')).toBe(3);
    expect(await valueOf(relay, 'rtms_sfu_relayed_viewers')).toBe(1);
    expect(await valueOf(relay, 'rtms_sfu_consumers')).toBe(2);
    expect(await valueOf(owner, 'rtms_sfu_pipes')).toBe(2);

    await relay.stop('SIGKILL');
    for (const [name, left] of [
      ['rtms_sfu_viewers', 2],
      ['rtms_sfu_pipes', 0],
    ] as const) {
      await waitFor(async () => (await valueOf(owner, name)) === left, {
        what: `the loss to be noticed, and ${left} of ${name}`,
      });
    }
    await further.close();
    await relay.start();
    await watch(playback);
    expect(await valueOf(relay, 'rtms_sfu_relayed_viewers')).toBe(1);
    for (const page of pages.slice(0, 2)) await sees(page);

    expect(await encoder.leave()).toBe(200);
    await waitFor(async () => (await isEmpty(owner)) && (await isEmpty(relay)), { what: 'nothing to be left' });
    expect(await stack.api.playbackBecomes(meetingID, playback.playbackID, 'ended')).toBeDefined();
  });
});
