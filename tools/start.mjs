// npm start [-- --lan | --domain example.org]: sets up what is missing, then runs PostgreSQL, NATS and the three services until it is stopped.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { chooseProxy, proxyEnvironment } from './embedded/https-proxy.mjs';
import { watchNpm } from './embedded/npm-parent.mjs';
import { reserveServicePorts } from './embedded/ports.mjs';
import { ProcessLedger } from './embedded/process-ledger.mjs';
import { withSecretFiles } from './embedded/secret-files.mjs';
import { tryLock } from './setup/exclusive-lock.mjs';
import { prepare } from './setup/prepare.mjs';
import { say } from './setup/progress.mjs';
import { homeDirectory, repositoryRoot } from './setup/repository.mjs';
import { allOf, reportFailure, StartFailure } from './setup/start-failure.mjs';
import { ensureServer } from './setup/unpacked-servers.mjs';

/** @typedef {{ close(): Promise<void> }} Closeable */

const home = homeDirectory(process.env);
const host = process.env.HOST || '127.0.0.1';
/** Closed in order at the stop; undefined until the set-up is done. @type {Closeable | undefined} */
let running;
let stopping = false;

/** @param {number} exitCode @param {string} why */
async function stop(exitCode, why) {
  if (stopping) return;
  stopping = true;
  say(`\n${why}`);
  await running?.close();
  if (running) say('All stopped.');
  process.exit(exitCode);
}

/** @param {ProcessLedger} ledger */
async function refuseSecondStart(ledger) {
  const lock = await tryLock('start', home);
  if (lock) return;
  const pid = ledger.read()?.starter.pid;
  const which = pid === undefined ? '' : ` (process ${pid})`;
  throw new StartFailure(
    `RTMS is already being run from ${home}${which}: stop that one first, or set RTMS_HOME and other ports.`,
  );
}

async function main() {
  const own = withSecretFiles(process.env);
  process.on('SIGINT', () => void stop(0, 'Stopping …'));
  process.on('SIGTERM', () => void stop(0, 'Stopping …'));
  process.on('SIGHUP', () => void stop(0, 'The terminal is gone: stopping …'));
  watchNpm(own, () => void stop(1, 'npm is gone: stopping …'));
  const ledger = new ProcessLedger(home);
  await refuseSecondStart(ledger);
  rmSync(join(home, 'ready.json'), { force: true });
  const ended = await ledger.endLeftovers();
  if (ended.length > 0) say(`Ended what an earlier run had left behind: ${ended.join(', ')}.`);
  const [settings, ports] = await allOf(chooseProxy(process.argv.slice(2), own), reserveServicePorts(host, own));
  const env = settings ? { ...proxyEnvironment(settings), ...own } : own;
  const programs = await prepare(repositoryRoot, env, { nats: !env.NATS_URL, tests: false });
  const proxy = settings && { settings, program: await ensureServer('caddy', repositoryRoot, env) };
  // Needs the npm packages, so it is imported after their installation.
  const { EmbeddedStack, makeHome } = await import('./embedded/embedded-stack.mjs');
  if (stopping) return;
  // The services write secrets, recordings and logs. The set-up above writes programs, which other users may run.
  process.umask(0o077);
  makeHome(home);
  const stack = new EmbeddedStack({ root: repositoryRoot, home, host, env, ports, programs, ledger, proxy });
  running = stack;
  await stack.start();
  say('\nCtrl-C stops everything.');
}

try {
  await main();
} catch (error) {
  if (!stopping) {
    stopping = true;
    await running?.close();
    reportFailure(error);
    process.exit(1);
  }
}
