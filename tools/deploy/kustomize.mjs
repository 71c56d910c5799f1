import { spawnSync } from 'node:child_process';
import { parseAllDocuments } from 'yaml';
import { repositoryRoot } from '../setup/repository.mjs';

/**
 * The objects that `kubectl kustomize` renders from a directory below deploy/. KUBECTL names another program.
 * @param {string} directory
 * @returns {any[]}
 */
export function renderKustomize(directory) {
  const program = process.env.KUBECTL ?? 'kubectl';
  const command = ['kustomize', `deploy/${directory}`];
  const { status, stdout, stderr } = spawnSync(program, command, { cwd: repositoryRoot, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} ${command.join(' ')}: ${stderr}`);
  return parseObjects(stdout);
}

/**
 * @param {string} text
 * @returns {any[]}
 */
export function parseObjects(text) {
  return parseAllDocuments(text)
    .map(document => document.toJS())
    .filter(object => object !== null);
}
