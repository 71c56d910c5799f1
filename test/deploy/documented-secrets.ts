import { readFileSync } from 'node:fs';
import { repository } from './render.js';

/** The table of secrets in docs/kubernetes.md: `namespace/name` → keys. */
export function externalSecrets(): Map<string, string[]> {
  const rows = readFileSync(`${repository}docs/kubernetes.md`, 'utf8').matchAll(
    /^\| `(?<namespace>rtms(?:-sfu)?)` +\| `(?<name>[a-z-]+)` +\| (?<keys>[^|]+)\|/gm,
  );
  return new Map(
    [...rows].map(({ groups }) => [
      `${groups!['namespace']}/${groups!['name']}`,
      [...groups!['keys']!.matchAll(/`([^`]+)`/g)].map(([, key]) => key!),
    ]),
  );
}
