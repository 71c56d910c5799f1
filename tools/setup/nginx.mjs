import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { installDebianPackages } from './debian-packages.mjs';
import { step } from './progress.mjs';
import { findProgram, runCommand } from './run-command.mjs';

/** Where a copy of our own is unpacked. @param {string} root */
const copyOf = root => join(root, 'node_modules', '.cache', 'rtms-nginx');

/** The system's nginx, or the one that `ensureNginx` unpacked. @param {string} root @param {NodeJS.ProcessEnv} env */
export function findNginx(root, env) {
  return findProgram('nginx', [env.PATH, join(copyOf(root), 'usr/sbin')].join(':'));
}

/**
 * Debian's nginx, for tests. It is unpacked and not installed where that can be: its package would start a web server on
 * port 80, and needs an administrator.
 * @param {string} root
 * @param {NodeJS.ProcessEnv} env
 */
export async function ensureNginx(root, env) {
  if (findNginx(root, env)) return;
  const unpacked = await step('Unpacking Debian’s nginx', () => unpack(copyOf(root), env));
  if (!unpacked || !findNginx(root, env)) await installDebianPackages(['nginx'], env);
}

/** @param {string} cwd @param {NodeJS.ProcessEnv} env */
async function unpack(cwd, env) {
  mkdirSync(cwd, { recursive: true });
  const download = () => runCommand('apt-get', ['download', 'nginx'], { cwd, env });
  if ((await download()).code !== 0) {
    await runCommand('apt-get', ['update'], { env });
    if ((await download()).code !== 0) return false;
  }
  const archive = readdirSync(cwd).find(file => file.endsWith('.deb')) ?? '';
  return (await runCommand('dpkg', ['-x', archive, '.'], { cwd, env })).code === 0;
}
