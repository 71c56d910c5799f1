import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fingerprint } from '../setup/fingerprint.mjs';
import { runCommand } from '../setup/run-command.mjs';

/** The page's sources, without the packages. */
const sources = [
  'apps/dashboard',
  ...['agent-import', 'client', 'clock', 'contracts', 'player'].map(lib => `libs/${lib}/src`),
];
const skipped = new Set(['dist', 'node_modules']);

/** @param {string} directory @returns {string[]} */
function filesBelow(directory) {
  if (!existsSync(directory)) return [];
  return readdirSync(directory, { withFileTypes: true }).flatMap(entry => {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) return skipped.has(entry.name) ? [] : filesBelow(path);
    return /\.spec\.tsx?$/.test(entry.name) ? [] : [path];
  });
}

/** @param {string} root */
function fingerprintOf(root) {
  const files = [...sources.flatMap(part => filesBelow(join(root, part))), join(root, 'package-lock.json')];
  return fingerprint(root, files.sort());
}

/** The folder in which the gateway finds the page. @param {string} root */
export function pageDirectory(root) {
  return join(root, 'apps/dashboard/dist');
}

/** @param {string} root */
export function isPageCurrent(root) {
  const stamp = stampOf(root);
  return (
    existsSync(join(pageDirectory(root), 'index.html')) &&
    existsSync(stamp) &&
    readFileSync(stamp, 'utf8') === fingerprintOf(root)
  );
}

/** @param {string} root */
const stampOf = root => join(root, 'node_modules', '.rtms-page-built');

/**
 * Bundles the page. Its libs must be compiled.
 * @param {string} root
 * @param {NodeJS.ProcessEnv} env
 */
export async function buildPage(root, env) {
  rmSync(stampOf(root), { force: true });
  const current = fingerprintOf(root);
  const vite = join(root, 'node_modules/vite/bin/vite.js');
  const args = [vite, 'build', '--config', 'apps/dashboard/vite.config.mjs', '--logLevel', 'warn'];
  const result = await runCommand(process.execPath, args, { cwd: root, env, endsWithParent: true });
  if (result.code === 0) writeFileSync(stampOf(root), current);
  return result;
}
