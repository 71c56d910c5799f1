import type { Browser } from 'playwright-core';

/** A page of the tests talks to nobody but the service: nothing of Chromium's own goes out. */
const flags = [
  '--no-sandbox',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--autoplay-policy=no-user-gesture-required',
];

const fakeMediaFlags = ['--use-fake-device-for-media-stream=fps=30', '--use-fake-ui-for-media-stream'];

export interface ChromiumOptions {
  /** A camera and a microphone that are there and need nobody's leave. */
  fakeMedia?: boolean;
  /** Behind the ones that every test has. */
  furtherFlags?: readonly string[];
}

/** Debian's Chromium, or the one of `CHROMIUM_PATH`, without a window and with a fresh profile. */
export async function launchChromium({ fakeMedia = false, furtherFlags = [] }: ChromiumOptions = {}): Promise<Browser> {
  // Only the tests that have a browser wait until its driver is loaded.
  const { chromium } = await import('playwright-core');
  const executablePath = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium';
  const args = [...flags, ...(fakeMedia ? fakeMediaFlags : []), ...furtherFlags];
  return chromium.launch({ executablePath, headless: true, args });
}
