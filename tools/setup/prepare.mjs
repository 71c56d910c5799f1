import { ensureBuilt } from './build.mjs';
import { waitForLock } from './exclusive-lock.mjs';
import { ensureNativeParts } from './native-parts.mjs';
import { ensureNpmPackages } from './npm-packages.mjs';
import { ensurePrograms } from './programs.mjs';
import { say } from './progress.mjs';
import { StartFailure } from './start-failure.mjs';

const oldestNode = [20, 19];

/** @param {string} version as in process.versions.node */
export function nodeIsNewEnough(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [wantedMajor = 0, wantedMinor = 0] = oldestNode;
  return major > wantedMajor || (major === wantedMajor && minor >= wantedMinor);
}

/**
 * Everything that must be there before the services or the tests can run. Done again, it only looks.
 * @param {string} root
 * @param {NodeJS.ProcessEnv} env
 * @param {{ nats: boolean, tests: boolean }} needs
 */
export async function prepare(root, env, needs) {
  if (!nodeIsNewEnough(process.versions.node)) {
    throw new StartFailure(`Node.js ${oldestNode.join('.')} or newer is needed; this is ${process.versions.node}.`);
  }
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
