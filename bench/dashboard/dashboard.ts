/**
 * Measures what a browser fetches, and the time until the dashboard shows something. Loads the sign-in page and the
 * first page of a signed-in user, each with an empty cache, over loopback. `npm run bench:dashboard -- [loads]` after
 * `npm run build`; prints one JSON line. It starts PostgreSQL, NATS and a gateway of its own.
 */
import { launchChromium } from '@rtms/testing';
import type { Browser, BrowserContext } from 'playwright-core';
import { DashboardPage } from '../../test/system/harness/dashboard-page.js';
import { startGateway } from '../api/gateway-process.js';
import { percentile } from '../percentile.js';
import { firstContentfulPaint } from './paint-trace.js';
import { ScriptCounter, type ScriptSizes } from './script-counter.js';

const loads = Number(process.argv[2] ?? 7);
const scriptAimKB = 250;
const paintAimMs = 1_000;

interface Load extends ScriptSizes {
  /** The first content: the product's name, before any script runs. */
  paintMs: number;
  /** The largest content of the complete page. */
  largestMs: number;
}

type State = Awaited<ReturnType<BrowserContext['storageState']>>;

/** One load with an empty cache, until `heading` is visible and no request is open. */
async function load(browser: Browser, url: string, heading: string, storageState?: State): Promise<Load> {
  const context = await browser.newContext(storageState && { storageState });
  const page = await context.newPage();
  const scripts = new ScriptCounter(page);
  await browser.startTracing(page, { categories: ['loading', 'blink.user_timing', 'devtools.timeline'] });
  await page.goto(`${url}/dashboard`);
  await page.getByRole('heading', { name: heading, level: 1, exact: true }).waitFor();
  // The event stream keeps a connection open, so the network is never idle. Pages request their later scripts soon.
  await page.waitForLoadState('load');
  await scripts.untilQuiet();
  const paint = firstContentfulPaint(await browser.stopTracing());
  const largestMs = Math.round(await page.evaluate(largestContentfulPaint));
  const result = { paintMs: paint.afterMs, largestMs, ...(await scripts.sizes()) };
  await context.close();
  return result;
}

/** From the page's own timeline. */
function largestContentfulPaint(): Promise<number> {
  return new Promise(resolve => {
    const observer = new PerformanceObserver(list => {
      observer.disconnect();
      resolve(list.getEntries().at(-1)!.startTime);
    });
    observer.observe({ type: 'largest-contentful-paint', buffered: true });
  });
}

async function measure(once: () => Promise<Load>) {
  await once();
  const results: Load[] = [];
  for (let turn = 0; turn < loads; turn += 1) results.push(await once());
  const { scriptKB, allScriptKB } = results[0]!;
  const p50 = (name: 'paintMs' | 'largestMs') =>
    percentile(
      results.map(result => result[name]),
      0.5,
    );
  return { scriptKB, allScriptKB, paintP50Ms: p50('paintMs'), largestP50Ms: p50('largestMs') };
}

const gateway = await startGateway();
const browser = await launchChromium();
try {
  const { url } = gateway;
  const signedIn = await DashboardPage.open(browser, url);
  await signedIn.signIn(gateway.signIn);
  await signedIn.heading('Overview').waitFor();
  const state = await signedIn.context.storageState();
  await signedIn.close();
  const signIn = await measure(() => load(browser, url, 'Sign in to the dashboard'));
  const overview = await measure(() => load(browser, url, 'Overview', state));
  const scriptKB = Math.max(signIn.allScriptKB, overview.allScriptKB);
  const paintMs = Math.max(signIn.paintP50Ms, overview.paintP50Ms);
  const aims = { scriptKB: scriptAimKB, paintMs: paintAimMs };
  const met = scriptKB <= scriptAimKB && paintMs <= paintAimMs;
  console.log(JSON.stringify({ bench: 'dashboard', loads, signIn, overview, scriptKB, paintMs, aims, met }));
} finally {
  await browser.close();
  await gateway.close();
}
process.exit();
