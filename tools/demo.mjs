// npm run demo: publishes a test picture, broadcasts it, and prints one link to watch it by WHEP and HLS. It uses the
// running `npm start`, or starts one, and removes all that it made at Ctrl-C.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { watchNpm } from './embedded/npm-parent.mjs';
import { findReady } from './rtms/gateway-api.mjs';
import { tryLock } from './setup/exclusive-lock.mjs';
import { ensureFfmpeg } from './setup/programs.mjs';
import { say, seconds } from './setup/progress.mjs';
import { homeDirectory, repositoryRoot } from './setup/repository.mjs';
import { tiedToParent } from './setup/run-command.mjs';
import { reportFailure, StartFailure } from './setup/start-failure.mjs';

const lookEveryMs = 200;
const begun = Date.now();
const home = homeDirectory(process.env);
const stopping = new AbortController();

/** Resolves once the services run: those of a running `npm start`, else those of a start of our own, which closing stops. */
async function findOrStart() {
  const lock = await tryLock('start', home);
  await lock?.close();
  const child = lock && startServices();
  const exit = child ? once(child, 'exit') : new Promise(() => undefined);
  const close = async () => {
    child?.kill('SIGINT');
    if (child) await exit;
  };
  const ended = exit.then(() => 'ended');
  while (!stopping.signal.aborted) {
    const ready = findReady(home);
    if (ready && (await answers(ready.gateway))) return { close };
    if ((await Promise.race([ended, pause(lookEveryMs)])) === 'ended') {
      throw new StartFailure('npm start has ended: see above.');
    }
  }
  await close();
  return undefined;
}

/** It gets no Ctrl-C of the terminal, because the demo ends first. */
function startServices() {
  const [file = '', ...args] = tiedToParent('TERM', [process.execPath, `${repositoryRoot}/tools/start.mjs`]);
  return spawn(file, args, { stdio: 'inherit', detached: true });
}

/** @param {string} gateway */
async function answers(gateway) {
  const response = await fetch(`${gateway}/readyz`, { signal: AbortSignal.timeout(2_000) }).catch(() => undefined);
  return response?.ok ?? false;
}

async function main() {
  const stop = () => stopping.abort();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, stop);
  watchNpm(process.env, stop);
  const services = await findOrStart();
  if (!services) return;
  try {
    // Needs the npm packages, which the start has installed.
    const { Show } = await import('./demo/show.mjs');
    const show = new Show(home, await ensureFfmpeg(repositoryRoot, process.env));
    try {
      await show.open(stopping.signal);
      if (stopping.signal.aborted) return;
      const link = await show.serve(process.env.HOST || '127.0.0.1');
      say(`\nThe demo is live (${seconds(Date.now() - begun)}). Watch it by WHEP and HLS at\n\n  ${link}\n`);
      say('Ctrl-C ends it.');
      await show.ended;
    } finally {
      await show.close();
    }
  } finally {
    await services.close();
  }
}

try {
  await main();
  process.exit(0);
} catch (error) {
  reportFailure(error);
  process.exit(1);
}
