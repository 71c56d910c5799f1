import type * as Driver from 'playwright-core';
import type { Browser } from 'playwright-core';
import { chromiumFlags, chromiumPath, type FakeMedia } from './chromium-flags.mjs';
import { offerNumbersOfNewerChromium } from './offer-numbers.js';
import { sharedServer } from './shared-server.js';

export interface ChromiumOptions {
  /** A camera and a microphone that are there and need nobody's leave; `true`: with 30 pictures a second. */
  fakeMedia?: FakeMedia;
  /** Behind the ones that every test has. */
  furtherFlags?: readonly string[];
}

/** Loads the driver when a test first needs it; the test runner (test/runner/run-file.cjs) does so outside of jest's sandbox. */
function loadDriver(): Promise<typeof Driver> {
  const host = globalThis as Partial<Record<symbol, () => Promise<typeof Driver>>>;
  return host[Symbol.for('rtms.browser-driver')]?.() ?? import('playwright-core');
}

/** Debian's Chromium, or the one of `CHROMIUM_PATH`, without a window and with a fresh profile. */
export async function launchChromium(options: ChromiumOptions = {}): Promise<Browser> {
  const { fakeMedia = false, furtherFlags = [] } = options;
  const { chromium } = await loadDriver();
  const args = [...chromiumFlags(fakeMedia), ...furtherFlags];
  return withSameNumbers(await chromium.launch({ executablePath: chromiumPath(), headless: true, args }));
}

/**
 * The Chromium of the whole run, with a small camera and a microphone. `close()` closes the contexts that were opened by
 * this connection, and leaves those of other files alone.
 */
export async function sharedChromium(): Promise<Browser> {
  const { chromium } = await loadDriver();
  return withSameNumbers(await chromium.connect(await sharedServer('CHROMIUM')));
}

function withSameNumbers(browser: Browser): Browser {
  const newContext = browser.newContext.bind(browser);
  browser.newContext = async options => {
    const context = await newContext(options);
    await context.addInitScript(offerNumbersOfNewerChromium);
    return context;
  };
  return browser;
}
