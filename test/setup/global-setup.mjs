import { startPostgresServer } from '../../libs/testing/src/servers/postgres-server.mjs';
import { sweepLeftovers } from '../../libs/testing/src/servers/sweep-leftovers.mjs';
import { offer } from './offer.mjs';
import { startSharedBrowser } from './shared-browser.mjs';
import { startSharedStack } from './shared-stack.mjs';

/**
 * PostgreSQL, Chromium, a running service and one with an ingest node, for the whole run. Each starts at the
 * first request of a test.
 */
export default function globalSetup() {
  sweepLeftovers();
  /** @type {import('./global-teardown.mjs').SharedServer[]} */
  const sharedServers = [
    offer('POSTGRES', async () => {
      const { url, stop } = await startPostgresServer();
      return { address: url, stop };
    }),
    offer('CHROMIUM', startSharedBrowser),
    offer('STACK', () => startSharedStack()),
    offer('INGEST', () => startSharedStack('ingest')),
  ];
  // The stacks use the PostgreSQL that is offered first.
  Object.assign(globalThis, { sharedServers: sharedServers.toReversed() });
}
