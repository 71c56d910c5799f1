import { createHash } from 'node:crypto';
import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

const retryMs = 250;

/** @typedef {{ close(): Promise<void> }} Lock */

/**
 * A lock that no crash leaves behind: the kernel drops an abstract Unix socket with its process.
 * @param {string} purpose
 * @param {string} directory the directory that is guarded
 * @returns {Promise<Lock | undefined>} undefined when another process holds it
 */
export function tryLock(purpose, directory) {
  const name = `\0rtms-${purpose}-${createHash('sha256').update(directory).digest('hex').slice(0, 24)}`;
  return new Promise((resolve, reject) => {
    const server = createServer(socket => socket.destroy());
    server.once('error', error => {
      if ('code' in error && error.code === 'EADDRINUSE') resolve(undefined);
      else reject(error);
    });
    server.listen(name, () => {
      server.unref();
      resolve({ close: () => new Promise(closed => void server.close(() => closed())) });
    });
  });
}

/**
 * Waits for the lock, however long its holder needs.
 * @param {string} purpose
 * @param {string} directory
 * @param {() => void} onWait called once when the lock is held by another process
 * @returns {Promise<Lock>}
 */
export async function waitForLock(purpose, directory, onWait) {
  for (let tries = 0; ; tries += 1) {
    const lock = await tryLock(purpose, directory);
    if (lock) return lock;
    if (tries === 0) onWait();
    await delay(retryMs);
  }
}
