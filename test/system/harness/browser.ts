import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { launchChromium } from '@rtms/testing';
import { build } from 'esbuild';
import type { Browser, Page } from 'playwright-core';

interface Source {
  url: string;
  token: string;
  codec?: string;
  profile?: string;
  video?: MediaTrackConstraints;
}

export interface Watched {
  frames: number;
  width: number;
  height: number;
  keyframes: number;
  audioPackets: number;
}

/** What `test/browser/media-page.js` gives a page. */
export interface MediaPage {
  publishWithWhipWhep(source: Source): Promise<string>;
  publishWithEyevinn(source: Source): Promise<void>;
  watchWithWhipWhep(source: Source): Promise<void>;
  watchWithEyevinn(source: Source): Promise<void>;
  watched(): Promise<Watched>;
  stopAll(options?: { vanish?: boolean }): Promise<void>;
}

/** Chromium with fake devices, on a page of its own origin. */
export class TestBrowser {
  private constructor(
    private readonly browser: Browser,
    private readonly server: Server,
    readonly origin: string,
  ) {}

  /** `furtherFlags` of Chromium, after the ones that every test has. */
  static async launch(
    furtherFlags: readonly string[] = [],
    entryPoint = 'test/browser/media-page.ts',
  ): Promise<TestBrowser> {
    const script = await bundle(entryPoint);
    const server = createServer((request, response) => {
      const isScript = request.url === '/media-page.js';
      response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html');
      response.end(isScript ? script : '<!doctype html><title>media</title><script src="/media-page.js"></script>');
    });
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    return new TestBrowser(await launchChromium({ fakeMedia: true, furtherFlags }), server, origin);
  }

  async openPage(): Promise<Page> {
    const page = await this.browser.newPage();
    await page.goto(this.origin);
    return page;
  }

  async close(): Promise<void> {
    await this.browser.close();
    this.server.closeAllConnections();
    await new Promise(resolve => this.server.close(resolve));
  }
}

async function bundle(entryPoint: string): Promise<string> {
  const result = await build({ entryPoints: [entryPoint], bundle: true, write: false, format: 'iife' });
  return result.outputFiles[0]?.text ?? '';
}

/** Calls one of the page's functions; what it throws fails the test with its own message. */
export function media<Name extends keyof MediaPage>(
  page: Page,
  name: Name,
  ...args: Parameters<MediaPage[Name]>
): ReturnType<MediaPage[Name]> {
  return page.evaluate(
    ([called, values]) =>
      (globalThis as unknown as { media: Record<string, (...given: unknown[]) => unknown> }).media[called]?.(...values),
    [name, args] as [string, unknown[]],
  ) as ReturnType<MediaPage[Name]>;
}
