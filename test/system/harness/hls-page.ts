import type { Page } from 'playwright-core';
import { untilCounted, type TestBrowser } from './browser.js';

export type PlayerName = 'hls.js' | 'shaka-player' | 'native';

export interface Played {
  frames: number;
  seconds: number;
  height: number;
  ended: boolean;
  /** The state of the player, for the message of a failure. */
  state: { bufferedTo: number; duration: number; readyState: number; paused: boolean; restartsLeft: number };
  faults: string[];
}

/** The functions that `test/browser/hls-player-page.ts` gives a page. */
interface PlayerPage {
  play(name: PlayerName, url: string): Promise<void>;
  played(): Played;
  seek(seconds: number): void;
}

/** Opens a page, of another origin than the broadcast's, that plays the address. */
export async function playHls(browser: TestBrowser, name: PlayerName, url: string): Promise<Page> {
  const page = await browser.openPage();
  await page.evaluate(
    ([player, address]) => (globalThis as unknown as { hls: PlayerPage }).hls.play(player as PlayerName, address),
    [name, url] as [string, string],
  );
  return page;
}

export function playedOn(page: Page): Promise<Played> {
  return page.evaluate(() => (globalThis as unknown as { hls: PlayerPage }).hls.played());
}

/** Moves the player to this time of its media. */
export function seekOn(page: Page, to: number): Promise<void> {
  return page.evaluate(seconds => (globalThis as unknown as { hls: PlayerPage }).hls.seek(seconds), to);
}

/** Resolves once the player has shown this much; fails with the player's errors. */
export async function untilPlayed(page: Page, wanted: { frames?: number; ended?: true }): Promise<Played> {
  const { frames = 0, ended } = wanted;
  const isEnough = (played: Played): boolean =>
    (played.frames >= frames && played.height > 0 && (!ended || played.ended)) || played.faults.length > 0;
  const played = await untilCounted(() => playedOn(page), isEnough, wanted);
  if (played.faults.length > 0) throw new Error(played.faults.join('; '));
  return played;
}
