import { fileURLToPath } from 'node:url';
import { launchChromium, waitFor } from '@rtms/testing';
import { build } from 'esbuild';
import type { Page } from 'playwright-core';
import type { ViewerPage, Watched } from './browser-page.js';
import type { SeenSecond } from './reporting-viewer.js';

const entryPoint = fileURLToPath(new URL('browser-page.ts', import.meta.url));
const lookEveryMs = 1_000;
const timeoutMs = 90_000;

/** A viewer in a Chromium of its own: by WHEP with the congestion control and the repair of a browser, or by hls.js with CMCD. */
export class BrowserViewer {
  private before: Watched = { packets: 0, lost: 0, frames: 0 };
  /** Called each second with the packets and pictures that came, and the packets that are missing. */
  onSeen: (seen: SeenSecond) => void = () => undefined;

  private constructor(private readonly page: Page) {}

  /** The page belongs to no origin, so it needs no server. */
  static async open(): Promise<BrowserViewer> {
    const browser = await launchChromium();
    const page = await browser.newPage();
    const { outputFiles } = await build({ entryPoints: [entryPoint], bundle: true, write: false, format: 'iife' });
    await page.addScriptTag({ content: outputFiles[0]?.text ?? '' });
    return new BrowserViewer(page);
  }

  /** Resolves once a picture is shown. Returns the answer. */
  async watchByWhep(url: string, token: string): Promise<string> {
    const answered = this.page.waitForResponse(response => response.url() === url && response.status() === 201);
    await this.on('watchByWhep', url, token);
    await this.untilShown();
    return (await answered).text();
  }

  /** Resolves once a picture is shown. */
  async watchByHls(url: string, sessionID: string): Promise<void> {
    await this.on('watchByHls', url, sessionID);
    await this.untilShown();
  }

  private async untilShown(): Promise<void> {
    const isShown = async (): Promise<boolean> => (await this.on('watched')).frames > 0;
    await waitFor(isShown, { timeoutMs, everyMs: 500, what: 'the first picture in Chromium' });
    setInterval(() => void this.look(), lookEveryMs);
  }

  private async look(): Promise<void> {
    const now = await this.on('watched');
    const { packets, lost, frames } = this.before;
    this.before = now;
    const missing = Math.max(0, now.lost - lost);
    this.onSeen({ at: Date.now(), packets: now.packets - packets, missing, frames: now.frames - frames });
  }

  private on<Name extends keyof ViewerPage>(name: Name, ...args: Parameters<ViewerPage[Name]>) {
    return this.page.evaluate(
      ([called, values]) =>
        (globalThis as unknown as { viewer: Record<string, (...given: unknown[]) => unknown> }).viewer[called]?.(
          ...values,
        ),
      [name, args] as [string, unknown[]],
    ) as ReturnType<ViewerPage[Name]>;
  }
}
