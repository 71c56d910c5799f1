import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export interface Installation {
  /** The folder with `package.json`, `apps` and `node_modules`. */
  root: string;
  version: string;
}

/**
 * The checkout or image of a file: the nearest folder above it with the manifest of `rtms`. Sources, compiled files and bundles have
 * different depths, so a path that starts at such a file would be right for one of them only.
 */
export function findInstallation(folder: string): Installation {
  for (let root = folder; ; root = dirname(root)) {
    const { name, version } = manifestIn(root);
    if (name === 'rtms' && version !== undefined) return { root, version };
    if (root === dirname(root)) throw new Error(`No folder above ${folder} has the package.json of rtms.`);
  }
}

function manifestIn(folder: string): { name?: string; version?: string } {
  const file = join(folder, 'package.json');
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as { name?: string; version?: string }) : {};
}

/** The installation that runs. */
export const installation = findInstallation(import.meta.dirname);
