import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { messageOf } from '@rtms/logging';
import { sharedChromium, waitFor } from '@rtms/testing';
import { build } from 'esbuild';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import type { ServiceProcess } from './service-process.js';

export interface Source {
  url: string;
  token: string;
  codec?: string;
  profile?: string;
  /** Size of the picture; default: the camera's. */
  video?: { width: number; height: number };
}

export interface Watched {
  frames: number;
  width: number;
  height: number;
  keyframes: number;
  audioPackets: number;
  /** Number of connections that it has replaced. Their counts remain. */
  losses: number;
  /** State of its connection; absent if its library hides it. */
  connection?: string;
}

type Counts = Omit<Watched, 'connection'>;

/** The functions that `test/browser/media-page.ts` gives a page. */
export interface MediaPage {
  publishWithWhipWhep(source: Source): Promise<string>;
  publishWithEyevinn(source: Source): Promise<void>;
  watchWithWhipWhep(source: Source): Promise<void>;
  watchWithEyevinn(source: Source): Promise<void>;
  watched(): Promise<Watched>;
  stopAll(options?: { vanish?: boolean }): Promise<void>;
}

export interface TestBrowserOptions {
  /** Script of the served page; default: publishers and players. */
  entryPoint?: string;
  /** Default: the Chromium of the whole run. It is closed with the test browser. */
  browser?: Browser;
}

/** A browser profile of a file's own, with fake devices, and a page of its own origin. */
export class TestBrowser {
  private constructor(
    private readonly browser: Browser,
    private readonly context: BrowserContext,
    private readonly server: Server,
  ) {}

  static async open(options: TestBrowserOptions = {}): Promise<TestBrowser> {
    const { entryPoint = 'test/browser/media-page.ts' } = options;
    const [script, browser] = await Promise.all([bundle(entryPoint), options.browser ?? sharedChromium()]);
    const server = createServer((request, response) => {
      const isScript = request.url === '/page.js';
      response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html');
      response.end(isScript ? script : '<!doctype html><title>media</title><body><script src="/page.js"></script>');
    });
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    return new TestBrowser(browser, await browser.newContext(), server);
  }

  async openPage(): Promise<Page> {
    const page = await this.context.newPage();
    await page.goto(`http://127.0.0.1:${(this.server.address() as AddressInfo).port}`);
    return page;
  }

  /** Closes its pages; the Chromium of the run keeps running. */
  async close(): Promise<void> {
    await this.context.close();
    await this.browser.close();
    this.server.closeAllConnections();
    await new Promise(resolve => this.server.close(resolve));
  }
}

async function bundle(entryPoint: string): Promise<string> {
  const result = await build({ entryPoints: [entryPoint], bundle: true, write: false, format: 'iife' });
  return result.outputFiles[0]?.text ?? '';
}

/** Calls one of the page's functions; its error fails the test with its own message. */
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

/** Resolves once the page's newest player has received at least so much. */
export function receives(page: Page, wanted: Partial<Counts>): Promise<Watched> {
  return untilCounted(
    () => media(page, 'watched'),
    seen => Object.entries(wanted).every(([name, least]) => seen[name as keyof Counts] >= least),
    wanted,
  );
}

/** Resolves once the page's newest player has received this much more than now. */
export async function receivesMore(page: Page, more: Partial<Counts>): Promise<Watched> {
  const now = await media(page, 'watched');
  const sums = Object.entries(more).map(([name, value]) => [name, now[name as keyof Counts] + value]);
  return receives(page, Object.fromEntries(sums) as Partial<Counts>);
}

/**
 * Resolves once the page's newest player receives media and the SFU has closed none of its connections: each one that the page
 * replaced fell silent, as happens on a machine without time for the browser. The SFU has no other viewers in browsers.
 */
export async function isStillWatching(page: Page, sfu: ServiceProcess, more: Partial<Counts>): Promise<void> {
  const { losses } = await receivesMore(page, more);
  const silent = () => sfu.metric('rtms_sfu_connections_lost_total', { client: 'viewer' });
  await waitFor(async () => (await silent()) >= losses, {
    what: `the SFU to have lost ${losses} connections of viewers`,
  });
}

/** Counters of browsers have no events: resolves with the first reading that suffices. */
export async function untilCounted<Seen>(
  look: () => Promise<Seen>,
  isEnough: (seen: Seen) => boolean,
  wanted: object,
): Promise<Seen> {
  let seen: Seen | undefined;
  const enough = async (): Promise<boolean> => isEnough((seen = await look()));
  await waitFor(enough, { everyMs: 150, what: JSON.stringify(wanted) }).catch((error: unknown) => {
    throw new Error(`${messageOf(error)}; the page last had ${JSON.stringify(seen)}`, { cause: error });
  });
  return seen!;
}
