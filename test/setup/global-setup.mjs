import { rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgresServer } from '../../libs/testing/src/postgres-server.mjs';
import { sweepLeftovers } from '../../libs/testing/src/sweep-leftovers.mjs';

/**
 * One PostgreSQL for the whole run, started when a test first asks for it: whoever connects to the socket
 * is told the server's URL.
 */
export default function globalSetup() {
  sweepLeftovers();
  const socketPath = join(tmpdir(), `rtms-test-postgres-${process.pid}.sock`);
  rmSync(socketPath, { force: true });
  /** @type {ReturnType<typeof startPostgresServer> | undefined} */
  let starting;
  const broker = createServer(socket => {
    starting ??= startPostgresServer();
    starting.then(
      server => socket.end(server.url),
      error => socket.end(String(error)),
    );
  });
  broker.listen(socketPath);
  broker.unref();
  process.env['RTMS_TEST_POSTGRES_SOCKET'] = socketPath;
  Object.assign(globalThis, {
    stopSharedPostgres: async () => {
      broker.close();
      await (await starting)?.stop();
    },
  });
}
