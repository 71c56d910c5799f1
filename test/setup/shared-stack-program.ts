// The running service that the files of a run share (see shared-stack.mjs). Prints its addresses as one line of JSON,
// and ends when its input does: with the run, however the run ends.
import { startStack } from '../system/harness/stack.js';
import type { SharedAddresses } from '../system/harness/shared-stack.js';

/** Many files come from one address, with many broadcasts at a time. */
const env = {
  ...{ RATE_LIMIT_KEY_READS: '0', RATE_LIMIT_KEY_WRITES: '0', RATE_LIMIT_ADDRESS_HANDSHAKES: '0' },
  ...{ RATE_LIMIT_ADDRESS_READS: '0', RATE_LIMIT_ADDRESS_WRITES: '0', SIGN_IN_ATTEMPTS_ADDRESS: '10000' },
  ...{ MAX_BROADCASTS: '100', SEGMENT_SECONDS: '1', WINDOW_SEGMENTS: '20' },
  // Receivers of the tests listen on this machine.
  WEBHOOK_INSECURE_TARGETS: 'true',
};

const stack = await startStack({ env });
process.stdin.once('end', () => void stack.close().finally(() => process.exit())).resume();
const { gateway, sfu, transcoder, adminToken, databaseUrl, mediaDir, folder } = stack;
const addresses: SharedAddresses = {
  ...{ gateway: gateway.url, sfu: sfu.url, transcoder: transcoder.url },
  ...{ adminToken, databaseUrl, mediaDir, folder },
};
process.stdout.write(`${JSON.stringify(addresses)}\n`);
