import { startPostgresServer } from '../../libs/testing/src/servers/postgres-server.mjs';
import { sweepLeftovers } from '../../libs/testing/src/servers/sweep-leftovers.mjs';
import { offer } from './offer.mjs';
import { startSharedBrowser } from './shared-browser.mjs';
import { startSharedStack } from './shared-stack.mjs';

/**
 * One PostgreSQL, one Chromium and one running service for the whole run, each started at the first request of a
 * test.
 */
export default function globalSetup() {
  sweepLeftovers();
  const offers = [
    offer('POSTGRES', async () => {
      const { url, stop } = await startPostgresServer();
      return { address: url, stop };
    }),
    offer('CHROMIUM', startSharedBrowser),
    offer('STACK', startSharedStack),
  ];
  Object.assign(globalThis, {
    endSharedServers: async () => {
      // The stack uses the PostgreSQL that is offered first.
      for (const end of offers.reverse()) await end();
    },
  });
}
