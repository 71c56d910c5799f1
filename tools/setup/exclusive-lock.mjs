import { createHash } from 'node:crypto';
import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { StartFailure } from './start-failure.mjs';

const retryMs = 250;
/** A set-up that builds mediasoup-worker takes up to ten minutes on a busy machine. */
const patienceMs = 20 * 60_000;

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
 * Waits for the lock.
 * @param {string} purpose
 * @param {string} directory
 * @param {() => void} onWait called once when the lock is held by another process
 * @param {number} [limitMs] twenty minutes by default
 * @returns {Promise<Lock>}
 * @throws {StartFailure} when the other process still holds the lock after that time
 */
export async function waitForLock(purpose, directory, onWait, limitMs = patienceMs) {
  const end = performance.now() + limitMs;
  for (let tries = 0; tries === 0 || performance.now() < end; tries += 1) {
    const lock = await tryLock(purpose, directory);
    if (lock) return lock;
    if (tries === 0) onWait();
    await delay(Math.min(retryMs, limitMs));
  }
  throw new StartFailure(
    `Another process holds the lock "${purpose}" of ${directory} since ${limitMs / 60_000} minutes. End it, then run this again.`,
  );
}
