import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * Above 10080, the last port that `fetch` and browsers refuse (Fetch Standard, port blocking), and below 32768, where Linux's ephemeral
 * ports begin. The system could give an ephemeral port to another program before the test uses it.
 */
const lowest = 10_081;
const highest = 32_767;
const attempts = 1_000;

/**
 * Returns a free TCP port on 127.0.0.1. It is reserved for this process and its children: no other call on this
 * machine returns it while this process runs.
 *
 * @returns {Promise<number>}
 */
export async function freePort() {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const port = randomInt(lowest, highest + 1);
    if ((await reserve(port)) && (await isUnused(port))) return port;
  }
  throw new Error(`none of ${attempts} ports from ${lowest} to ${highest} is free`);
}

/**
 * Takes an abstract socket with the name of the port. The kernel gives the name to one process and takes it back at its end.
 * @param {number} port
 */
async function reserve(port) {
  return (await listen({ path: `\0rtms-test-port-${port}` })) !== undefined;
}

/** @param {number} port */
async function isUnused(port) {
  const server = await listen({ port, host: '127.0.0.1' });
  if (server === undefined) return false;
  await new Promise(resolve => server.close(resolve));
  return true;
}

/**
 * @param {import('node:net').ListenOptions} options
 * @returns {Promise<import('node:net').Server | undefined>} undefined: another process listens there
 */
function listen(options) {
  return new Promise(resolve => {
    const server = createServer();
    server.unref();
    server.once('error', () => resolve(undefined)).listen(options, () => resolve(server));
  });
}
