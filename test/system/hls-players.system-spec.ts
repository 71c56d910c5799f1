/** @weight 0.2 for 65 s */
import { makeHlsClaims, makeTokenPair } from '@rtms/testing';
import type { Page } from 'playwright-core';
import { encodeFmp4, type Fmp4Rendition } from '../media/fmp4.js';
import { publishRun, publishSegment, runRenditions, startOrigin, type Origin } from '../media/start-origin.js';
import { TestBrowser } from './harness/browser.js';
import { playedOn, playHls, seekOn, untilPlayed, type PlayerName } from './harness/hls-page.js';

const sizes = [
  { name: '180p', width: 320, height: 180 },
  { name: '90p', width: 160, height: 90 },
];
/** As after the source's return with another picture size. */
const otherSizes = [
  { name: '180p', width: 240, height: 180 },
  { name: '90p', width: 120, height: 90 },
];
const players: PlayerName[] = ['hls.js', 'shaka-player', 'native'];
const segmentSeconds = 1;

describe('third-party players', () => {
  let browser: TestBrowser;
  let origin: Origin;
  let url: string;
  let page: Page | undefined;
  let first: Fmp4Rendition[];
  let second: Fmp4Rendition[];
  /** Of four seconds each, and one at the end. */
  let longSegments: Fmp4Rendition[];

  beforeAll(async () => {
    browser = await TestBrowser.open({ entryPoint: 'test/browser/hls-player-page.ts' });
    first = await encodeFmp4({ seconds: 8, segmentSeconds, videos: sizes, audio: true });
    second = await encodeFmp4({ seconds: 6, segmentSeconds, videos: otherSizes, audio: true });
    longSegments = await encodeFmp4({ seconds: 13, segmentSeconds: 4, videos: sizes, audio: true });
  });
  afterAll(() => browser?.close());

  beforeEach(async () => {
    const { signer, verifier } = await makeTokenPair();
    origin = await startOrigin(verifier);
    url = `${origin.url}/hls/bcast_1/index.m3u8?token=${await signer.sign(await makeHlsClaims(signer))}`;
  });
  afterEach(async () => {
    await page?.close();
    await origin.close();
  });

  it.each(players)('%s plays an ended broadcast, across a discontinuity', async player => {
    const presentation = await origin.present('bcast_1', { segmentSeconds, windowSegments: 20 });
    await publishRun(presentation, first, sizes);
    await publishRun(presentation, second, otherSizes, new Date(Date.now() + 20_000));
    presentation.end();
    page = await playHls(browser, player, url);
    const played = await untilPlayed(page, { frames: 14 * 30 * 0.95 });
    expect(played.height).toBeLessThanOrEqual(180);
    expect(played.seconds).toBeGreaterThan(13);
  });

  it('hls.js seeks back further than the window, and takes delta updates', async () => {
    const options = { segmentSeconds, windowSegments: 6, dvrSeconds: 3600 };
    const dvr = await origin.present('bcast_1', options);
    const startsAt = new Date(Date.now() - 14_000);
    await publishRun(dvr, first, sizes, startsAt);
    await publishRun(dvr, second, otherSizes, new Date(startsAt.getTime() + 8_000));
    page = await playHls(browser, 'hls.js', url);
    const updates = page.waitForResponse(response => response.url().includes('_HLS_skip=YES') && response.ok());
    const { seconds } = await untilPlayed(page, { frames: 5 });
    expect(seconds).toBeGreaterThan(6);
    await seekOn(page, 0.5);
    const before = await playedOn(page);
    const after = await untilPlayed(page, { frames: before.frames + 30 });
    expect(after.seconds).toBeLessThan(10);
    await publishRun(dvr, first, sizes, new Date(startsAt.getTime() + 14_000));
    expect(await (await updates).text()).toContain('#EXT-X-SKIP:');
    await untilPlayed(page, { frames: after.frames + 30 });
    dvr.end();
  });

  it.each(players)('%s plays a live broadcast to its end', async player => {
    // The longer a segment, the longer Chromium's own player can go without a picture.
    const [media, seconds, early] = player === 'native' ? [longSegments, 4, 3] : [first, segmentSeconds, 4];
    const live = await origin.present('bcast_1', { segmentSeconds: seconds, windowSegments: 20 });
    const { length } = media[0]!.segments;
    const startsAt = new Date(Date.now() - 4_000);
    live.beginRun({ renditions: runRenditions(media, sizes), startsAt });
    for (const { name, init } of media) await live.addInit(name, init);
    for (let index = 0; index < early; index += 1) await publishSegment(live, media, index, startsAt);
    page = await playHls(browser, player, url);
    for (let index = early; index < length; index += 1) {
      // A player that shows pictures has taken the playlist that the next segment makes longer.
      await untilPlayed(page, { frames: (index - early + 1) * 10 });
      await publishSegment(live, media, index, startsAt);
    }
    await untilPlayed(page, { frames: 60 });
    live.end();
    await untilPlayed(page, { ended: true });
  });
});
