import { existsSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { chooseFfmpeg } from './ffmpeg-choice.mjs';
import { installDebianPackages } from './debian-packages.mjs';
import { ensureHelm } from './helm.mjs';
import { say } from './progress.mjs';
import { findProgram, runCommand } from './run-command.mjs';
import { StartFailure } from './start-failure.mjs';
import { ensureServers } from './unpacked-servers.mjs';

/** @typedef {{ ffmpeg: string, natsServer: string | undefined }} Programs */

/** Programs that only tests run, with their packages. @type {Record<string, string>} */
const testPrograms = {
  chromium: 'chromium',
  'firefox-esr': 'firefox-esr',
  'gst-launch-1.0': 'gstreamer1.0-tools gstreamer1.0-plugins-good gstreamer1.0-plugins-bad gstreamer1.0-plugins-ugly',
  ip: 'iproute2',
  jq: 'jq',
  kubectl: 'kubernetes-client',
  openssl: 'openssl',
  promtool: 'prometheus',
  'srt-live-transmit': 'srt-tools',
  unzip: 'unzip',
};

/** Debian's packages put PostgreSQL's programs here, each version in its own directory. */
const debianPostgres = '/usr/lib/postgresql';

/** A server, and pg_dump and pg_restore of its version. */
function hasPostgres() {
  const versions = existsSync(debianPostgres) ? readdirSync(debianPostgres) : [];
  return versions.some(version => existsSync(join(debianPostgres, version, 'bin', 'initdb')));
}

/** The font of names in composed recordings. */
const nameFont = '/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf';

/** @param {NodeJS.ProcessEnv} env */
function missingTestPackages(env) {
  const fonts = existsSync(nameFont) ? [] : ['fonts-dejavu-core'];
  return [...missingTestPrograms(env), ...(hasPostgres() ? [] : ['postgresql']), ...fonts];
}

/** @param {NodeJS.ProcessEnv} env */
function missingTestPrograms(env) {
  return Object.entries(testPrograms).flatMap(([program, name]) =>
    findProgram(program, env.PATH) ? [] : name.split(' '),
  );
}

/**
 * Finds the system's programs, and installs Debian's for missing ones.
 * @param {string} root
 * @param {NodeJS.ProcessEnv} env
 * @param {{ nats: boolean, tests: boolean }} needs
 * @returns {Promise<Programs>}
 */
export async function ensurePrograms(root, env, needs) {
  const ffmpeg = await ensureFfmpeg(root, env);
  const missing = [
    ...(needs.nats && !findProgram('nats-server', env.PATH) ? ['nats-server'] : []),
    ...(needs.tests ? missingTestPackages(env) : []),
  ];
  if (missing.length > 0) await installDebianPackages(missing, env);
  if (needs.tests) {
    await ensureServers(root, env);
    await ensureHelm(env);
  }
  return {
    ffmpeg,
    natsServer: findProgram('nats-server', env.PATH),
  };
}

/**
 * The path of an FFmpeg that is new enough. Installs one if necessary.
 * @param {string} root
 * @param {NodeJS.ProcessEnv} env
 */
export async function ensureFfmpeg(root, env) {
  const choice = await decideFfmpeg(env);
  return choice.kind === 'use' ? choice.path : installFfmpeg(root, env);
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
 * Debian's FFmpeg if it is available and new enough, else npm's.
 * @param {string} root
 * @param {NodeJS.ProcessEnv} env
 */
async function installFfmpeg(root, env) {
  try {
    await installDebianPackages(['ffmpeg', 'fonts-dejavu-core'], env);
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
