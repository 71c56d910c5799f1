import { rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * @typedef {object} Started
 * @property {string} address the text that a test gets
 * @property {() => Promise<void>} stop
 */

/**
 * Offers a server that all files of the run share. It starts when a test first asks for it: a test reads the server's
 * address from the socket `RTMS_TEST_<NAME>_SOCKET`. Answers how to end the offer and the server.
 * @param {string} name in capitals
 * @param {() => Promise<Started>} start
 * @returns {{ name: string, end: () => Promise<void> }}
 */
export function offer(name, start) {
  const socketPath = join(tmpdir(), `rtms-test-${name.toLowerCase()}-${process.pid}.sock`);
  rmSync(socketPath, { force: true });
  /** @type {Promise<Started> | undefined} */
  let starting;
  const broker = createServer(socket => {
    socket.on('error', () => undefined);
    starting ??= start();
    starting.then(
      ({ address }) => socket.end(address),
      error => {
        // The next file tries again.
        starting = undefined;
        socket.end(`error: ${String(error)}`);
      },
    );
  });
  broker.listen(socketPath);
  broker.unref();
  process.env[`RTMS_TEST_${name}_SOCKET`] = socketPath;
  return {
    name,
    async end() {
      broker.close();
      await (await starting?.catch(() => undefined))?.stop();
    },
  };
}
