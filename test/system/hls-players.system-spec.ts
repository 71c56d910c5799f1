import { makeHlsClaims, makeTokenPair, waitFor } from '@rtms/testing';
import type { Page } from 'playwright-core';
import type { Presentation } from '../../apps/transcoder/src/jobs/hls/presentation.js';
import { encodeFmp4, type Fmp4Rendition } from '../media/fmp4.js';
import { publishRun, publishSegment, runRenditions, startOrigin, type Origin } from '../media/start-origin.js';
import { playedOn, PlayerBrowser, type PlayerName } from './harness/player-browser.js';

const sizes = [
  { name: '360p', width: 640, height: 360 },
  { name: '180p', width: 320, height: 180 },
];
/** As after the source came back with another picture size. */
const otherSizes = [
  { name: '360p', width: 480, height: 360 },
  { name: '180p', width: 240, height: 180 },
];
const players: PlayerName[] = ['hls.js', 'shaka-player', 'native'];
const segmentSeconds = 1;

describe('players that nobody here wrote', () => {
  let browser: PlayerBrowser;
  let origin: Origin;
  let url: string;
  let presentation: Presentation;
  let first: Fmp4Rendition[];
  let second: Fmp4Rendition[];

  beforeAll(async () => {
    browser = await PlayerBrowser.launch();
    first = await encodeFmp4({ seconds: 8, segmentSeconds, videos: sizes, audio: true });
    second = await encodeFmp4({ seconds: 6, segmentSeconds, videos: otherSizes, audio: true });
  });
  afterAll(() => browser.close());

  beforeEach(async () => {
    const { signer, verifier } = await makeTokenPair();
    origin = await startOrigin(verifier);
    presentation = await origin.present('bcast_1', { segmentSeconds, windowSegments: 20 });
    url = `${origin.url}/hls/bcast_1/index.m3u8?token=${await signer.sign(await makeHlsClaims(signer))}`;
  });
  afterEach(() => origin.close());

  async function untilFrames(page: Page, frames: number, height: number): Promise<void> {
    const what = `${frames} frames of ${height} lines`;
    await waitFor(
      async () => {
        const played = await playedOn(page);
        if (played.faults.length > 0) throw new Error(played.faults.join('; '));
        return played.frames >= frames && played.height > 0 && played.height <= height;
      },
      { timeoutMs: 80_000, what },
    );
  }

  it.each(players)('%s plays a broadcast that is over, across a discontinuity', async player => {
    await publishRun(presentation, first, sizes);
    await publishRun(presentation, second, otherSizes, new Date(Date.now() + 20_000));
    presentation.end();
    const page = await browser.play(player, url);
    await untilFrames(page, 14 * 30 * 0.95, 360);
    expect((await playedOn(page)).seconds).toBeGreaterThan(13);
    await page.close();
  });

  it.each(players)('%s plays a live broadcast to its end', async player => {
    const startsAt = new Date(Date.now() - 4_000);
    presentation.beginRun({ renditions: runRenditions(first, sizes), startsAt });
    for (const { name, init } of first) await presentation.addInit(name, init);
    for (let index = 0; index < 4; index += 1) await publishSegment(presentation, first, index, startsAt);
    const page = await browser.play(player, url);
    for (let index = 4; index < 8; index += 1) {
      await waitFor(() => Date.now() >= startsAt.getTime() + index * 1000, { what: 'the source to get there' });
      await publishSegment(presentation, first, index, startsAt);
    }
    await untilFrames(page, 60, 360);
    presentation.end();
    await waitFor(async () => (await playedOn(page)).ended, { timeoutMs: 40_000, what: 'the end of the broadcast' });
    await page.close();
  });
});
