import { mkdirSync, existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { installDebianPackages } from './debian-packages.mjs';
import { step } from './progress.mjs';
import { findProgram, runCommand } from './run-command.mjs';
import { StartFailure } from './start-failure.mjs';

/**
 * Programs of tests, and Caddy also of `npm start -- --lan`, by Debian package. Unpacks them instead of installing them if possible: the packages
 * would start a server on its usual port, or replace libraries of running browsers, and need an administrator.
 */
const servers = {
  coturn: { program: 'turnserver', directory: 'usr/bin' },
  caddy: { program: 'caddy', directory: 'usr/bin' },
  nginx: { program: 'nginx', directory: 'usr/sbin' },
  'libnss3-tools': { program: 'certutil', directory: 'usr/bin' },
};

/** @typedef {keyof typeof servers} ServerName */
/** @typedef {{ path: string, libraryPath: string }} FoundServer `libraryPath`: for LD_LIBRARY_PATH; empty for an installed one */

/**
 * The system's server, or the one that `ensureServers` unpacked.
 * @param {ServerName} name
 * @param {string} root
 * @param {NodeJS.ProcessEnv} env
 * @returns {FoundServer | undefined}
 */
export function findServer(name, root, env) {
  const { program, directory } = servers[name];
  const installed = findProgram(program, env.PATH);
  if (installed) return { path: installed, libraryPath: '' };
  const copy = copyOf(root, name);
  const path = findProgram(program, join(copy, directory));
  return path === undefined ? undefined : { path, libraryPath: libraryPathOf(copy) };
}

/** The path of a server that needs no libraries of its own package. @param {ServerName} name @param {string} root @param {NodeJS.ProcessEnv} env */
export async function ensureServer(name, root, env) {
  if (!findServer(name, root, env)) {
    await step(`Unpacking Debian’s ${name}`, () => unpack(name, copyOf(root, name), env));
    if (!findServer(name, root, env)) await installDebianPackages([name], env);
  }
  const found = findServer(name, root, env);
  if (found) return found.path;
  throw new StartFailure(`${name} could not be installed: install it, then run this again.`);
}

/** @param {string} root @param {NodeJS.ProcessEnv} env */
export async function ensureServers(root, env) {
  for (const name of /** @type {ServerName[]} */ (Object.keys(servers))) {
    await ensureServer(name, root, env);
  }
}

/** @param {string} root @param {string} name */
function copyOf(root, name) {
  return join(root, 'node_modules', '.cache', `rtms-${name}`);
}

/** @param {string} copy */
function libraryPathOf(copy) {
  const libraries = join(copy, 'usr', 'lib');
  const names = existsSync(libraries) ? readdirSync(libraries).filter(name => name.includes('linux-gnu')) : [];
  return names.map(name => join(libraries, name)).join(':');
}

/**
 * @param {ServerName} name
 * @param {string} cwd
 * @param {NodeJS.ProcessEnv} env
 */
async function unpack(name, cwd, env) {
  mkdirSync(cwd, { recursive: true });
  if (!(await download(name, cwd, env))) {
    await runCommand('apt-get', ['update'], { env });
    if (!(await download(name, cwd, env))) return;
  }
  for (const archive of readdirSync(cwd).filter(file => file.endsWith('.deb')))
    await runCommand('dpkg', ['-x', archive, '.'], { cwd, env });
}

/**
 * The package, with the libraries that this system lacks.
 * @param {ServerName} name
 * @param {string} cwd
 * @param {NodeJS.ProcessEnv} env
 */
async function download(name, cwd, env) {
  const simulation = await runCommand('apt-get', ['install', '--simulate', '--no-install-recommends', name], { env });
  const missing = [...simulation.stdout.matchAll(/^Inst (\S+)/gm)].map(([, each]) => each ?? '');
  const packages = missing.filter(each => each === name || each.startsWith('lib'));
  return packages.length > 0 && (await runCommand('apt-get', ['download', ...packages], { cwd, env })).code === 0;
}
