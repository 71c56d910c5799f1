import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildPage, isPageCurrent } from '../dashboard/page-build.mjs';
import { fingerprint } from './fingerprint.mjs';
import { step } from './progress.mjs';
import { compilerOf } from './repository.mjs';
import { lastLines, runCommand } from './run-command.mjs';
import { StartFailure } from './start-failure.mjs';

const skipped = new Set(['node_modules', 'dist', 'coverage']);
const bundling = 'tools/bundle/service-bundles.mjs';

/** @param {string} directory @returns {string[]} */
function sourceFiles(directory) {
  return readdirSync(directory, { withFileTypes: true }).flatMap(entry => {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) return skipped.has(entry.name) ? [] : sourceFiles(path);
    return /\.(ts|json)$/.test(entry.name) && !/spec\.ts$/.test(entry.name) ? [path] : [];
  });
}

/**
 * One hash of everything that the compiler and the bundler read. It takes a tenth of the time in which `tsc -b` finds no change.
 * @param {string} root
 */
export function sourceFingerprint(root) {
  const files = ['apps', 'libs'].flatMap(part => sourceFiles(join(root, part)));
  const settings = ['package-lock.json', 'tsconfig.base.json', 'tsconfig.build.json', bundling];
  return fingerprint(root, [...files.sort(), ...settings.map(each => join(root, each))]);
}

/**
 * Compiles and bundles changed sources, and the dashboard.
 * @param {string} root
 * @param {NodeJS.ProcessEnv} env
 */
export async function ensureBuilt(root, env) {
  await ensureCompiled(root, env);
  if (isPageCurrent(root)) return;
  await step('Building the dashboard', async () => {
    const result = await buildPage(root, env);
    if (result.code !== 0)
      throw new StartFailure(`The build failed (npm run build shows all): ${lastLines(result.output)}`);
  });
}

/** Compiles changed sources, and bundles the services. @param {string} root @param {NodeJS.ProcessEnv} env */
export async function ensureCompiled(root, env) {
  // Needs the npm packages, so it is imported after their installation.
  const { areServicesBundled, bundleServices } = await import('../bundle/service-bundles.mjs');
  const stamp = join(root, 'node_modules', '.rtms-built');
  const current = sourceFingerprint(root);
  if (areServicesBundled(root) && existsSync(stamp) && readFileSync(stamp, 'utf8') === current) return;
  // A failed build leaves output that must have no stamp.
  rmSync(stamp, { force: true });
  await step('Building the services', async () => {
    const args = [compilerOf(root), '-b', 'tsconfig.build.json'];
    const result = await runCommand(process.execPath, args, { cwd: root, env, endsWithParent: true });
    if (result.code !== 0)
      throw new StartFailure(`The build failed (npm run build shows all): ${lastLines(result.output)}`);
    await bundleServices(root);
  });
  writeFileSync(stamp, current);
}
