import { chromiumFlags, chromiumPath } from '../../libs/testing/src/browser/chromium-flags.mjs';

/**
 * One Chromium that every file connects to, each with contexts of its own. Its camera is slow, because pictures cost
 * most.
 * It ends with this process, as its pipe does.
 */
export async function startSharedBrowser() {
  const { chromium } = await import('playwright-core');
  const server = await chromium.launchServer({
    ...{ executablePath: chromiumPath(), headless: true, host: '127.0.0.1' },
    args: chromiumFlags({ framesPerSecond: 10 }),
    ...{ handleSIGINT: false, handleSIGTERM: false, handleSIGHUP: false },
  });
  return { address: server.wsEndpoint(), stop: () => server.close() };
}
