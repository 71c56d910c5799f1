import type * as Driver from 'playwright-core';
import type { Browser } from 'playwright-core';
import { chromiumFlags, chromiumPath, type FakeMedia } from './chromium-flags.mjs';
import { offerNumbersOfNewerChromium } from './offer-numbers.js';
import { sharedServer } from '../servers/shared-server.js';
import { patienceMs } from '../waiting/wait-for.js';

export interface ChromiumOptions {
  /** Adds a fake camera and microphone without permission prompts; `true`: 30 frames per second. */
  fakeMedia?: FakeMedia;
  /** Additional flags. */
  furtherFlags?: readonly string[];
}

/** Loads the driver on first use. The test runner (test/runner/run-file.cjs) loads it outside jest's sandbox. */
function loadDriver(): Promise<typeof Driver> {
  const host = globalThis as Partial<Record<symbol, () => Promise<typeof Driver>>>;
  return host[Symbol.for('rtms.browser-driver')]?.() ?? import('playwright-core');
}

/** Launches Debian's Chromium, or that of `CHROMIUM_PATH`, headless and with a new profile. */
export async function launchChromium(options: ChromiumOptions = {}): Promise<Browser> {
  const { fakeMedia = false, furtherFlags = [] } = options;
  const { chromium } = await loadDriver();
  const args = [...chromiumFlags(fakeMedia), ...furtherFlags];
  return prepared(await chromium.launch({ executablePath: chromiumPath(), headless: true, args }));
}

/**
 * Connects to the run's shared Chromium, with a small fake camera and a microphone. `close()` closes only the contexts of this
 * connection.
 */
export async function sharedChromium(): Promise<Browser> {
  const { chromium } = await loadDriver();
  return prepared(await chromium.connect(await sharedServer('CHROMIUM')));
}

/** Contexts of the browser wait long, and offer the same codec numbers in each version of Chromium. */
function prepared(browser: Browser): Browser {
  const newContext = browser.newContext.bind(browser);
  browser.newContext = async options => {
    const context = await newContext(options);
    context.setDefaultTimeout(patienceMs);
    await context.addInitScript(offerNumbersOfNewerChromium);
    return context;
  };
  return browser;
}
