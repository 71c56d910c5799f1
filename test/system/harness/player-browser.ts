import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { launchChromium } from '@rtms/testing';
import { build } from 'esbuild';
import type { Browser, Page } from 'playwright-core';

export type PlayerName = 'hls.js' | 'shaka-player' | 'native';

export interface Played {
  frames: number;
  seconds: number;
  height: number;
  ended: boolean;
  faults: string[];
}

interface PlayerPage {
  play(name: PlayerName, url: string): Promise<void>;
  played(): Played;
}

/** Chromium on a page of another origin than the broadcast's, with players of HLS. */
export class PlayerBrowser {
  private constructor(
    private readonly browser: Browser,
    private readonly server: Server,
  ) {}

  static async launch(): Promise<PlayerBrowser> {
    const { outputFiles } = await build({
      entryPoints: ['test/browser/hls-player-page.ts'],
      bundle: true,
      write: false,
      format: 'iife',
    });
    const server = createServer((request, response) => {
      const isScript = request.url === '/player.js';
      response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html');
      response.end(
        isScript ? outputFiles[0]?.text : '<!doctype html><title>HLS</title><body><script src="/player.js"></script>',
      );
    });
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    return new PlayerBrowser(await launchChromium(), server);
  }

  /** Opens a page that plays the address. */
  async play(name: PlayerName, url: string): Promise<Page> {
    const page = await this.browser.newPage();
    await page.goto(`http://127.0.0.1:${(this.server.address() as AddressInfo).port}`);
    await page.evaluate(
      ([player, address]) => (globalThis as unknown as { hls: PlayerPage }).hls.play(player as PlayerName, address),
      [name, url] as [string, string],
    );
    return page;
  }

  async close(): Promise<void> {
    await this.browser.close();
    this.server.closeAllConnections();
    await new Promise(resolve => this.server.close(resolve));
  }
}

/** What the page's player has shown so far. */
export function playedOn(page: Page): Promise<Played> {
  return page.evaluate(() => (globalThis as unknown as { hls: PlayerPage }).hls.played());
}
