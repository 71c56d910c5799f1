import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { chooseFfmpeg } from './ffmpeg-choice.mjs';
import { installDebianPackages } from './debian-packages.mjs';
import { say } from './progress.mjs';
import { findProgram, runCommand } from './run-command.mjs';
import { StartFailure } from './start-failure.mjs';

/** Where Debian's package puts the programs of each version, apart from PATH. */
const debianPostgres = '/usr/lib/postgresql';

/** @typedef {{ ffmpeg: string, natsServer: string | undefined }} Programs */

/**
 * Finds the programs that come from the system, and installs Debian's where one is missing.
 * @param {string} root
 * @param {NodeJS.ProcessEnv} env
 * @param {import('./prepare.mjs').Needs} needs
 * @returns {Promise<Programs>}
 */
export async function ensurePrograms(root, env, needs) {
  const ffmpeg = await decideFfmpeg(env);
  const missing = [
    ...(needs.nats && !findProgram('nats-server', env.PATH) ? ['nats-server'] : []),
    ...(needs.browser && !findProgram('chromium', env.PATH) ? ['chromium'] : []),
    ...(needs.database && !existsSync(debianPostgres) ? ['postgresql'] : []),
  ];
  if (missing.length > 0) await installDebianPackages(missing, env);
  return {
    ffmpeg: ffmpeg.kind === 'use' ? ffmpeg.path : await installFfmpeg(root, env),
    natsServer: findProgram('nats-server', env.PATH),
  };
}

/** @param {NodeJS.ProcessEnv} env */
async function decideFfmpeg(env) {
  const choice = chooseFfmpeg(
    env.FFMPEG_PATH ? await probe(env.FFMPEG_PATH) : undefined,
    await probe(findProgram('ffmpeg', env.PATH)),
  );
  if (choice.kind === 'problem') throw new StartFailure(choice.message);
  return choice;
}

/** @param {string | undefined} path */
async function probe(path) {
  if (path === undefined) return undefined;
  const result = await runCommand(path, ['-version']);
  return { path, versionOutput: result.code === 0 ? result.stdout : undefined };
}

/**
 * Debian's FFmpeg when it can be had and is new enough, else the one that comes with the npm packages.
 * @param {string} root
 * @param {NodeJS.ProcessEnv} env
 */
async function installFfmpeg(root, env) {
  try {
    await installDebianPackages(['ffmpeg'], env);
  } catch (error) {
    if (!(error instanceof StartFailure)) throw error;
  }
  const choice = await decideFfmpeg(env);
  if (choice.kind === 'use') return choice.path;
  const bundled = bundledFfmpeg(root);
  say(`No FFmpeg 5.0 or newer on this system: using the one of @ffmpeg-installer (${bundled}).`);
  return bundled;
}

/** @param {string} root */
function bundledFfmpeg(root) {
  const require = createRequire(join(root, 'package.json'));
  const { path } = /** @type {{ path: string }} */ (require('@ffmpeg-installer/ffmpeg'));
  return path;
}
