import { ensureBuilt } from './build.mjs';
import { waitForLock } from './exclusive-lock.mjs';
import { ensureNativeParts } from './native-parts.mjs';
import { judgeNode } from './node-version.mjs';
import { ensureNpmPackages } from './npm-packages.mjs';
import { ensurePrograms } from './programs.mjs';
import { say } from './progress.mjs';
import { StartFailure } from './start-failure.mjs';

/**
 * Prepares everything that services and tests need. A second call only checks.
 * @param {string} root
 * @param {NodeJS.ProcessEnv} env
 * @param {{ nats: boolean, tests: boolean }} needs
 */
export async function prepare(root, env, needs) {
  const { starts, message } = judgeNode(process.versions.node);
  if (!starts) throw new StartFailure(message ?? '');
  if (message !== undefined) say(message);
  const lock = await waitForLock('setup', root, () =>
    say('Another set-up of this checkout is running: waiting for it.'),
  );
  try {
    await ensureNpmPackages(root, env);
    const programs = await ensurePrograms(root, env, needs);
    await ensureNativeParts(root, env);
    await ensureBuilt(root, env);
    return programs;
  } finally {
    await lock.close();
  }
}
