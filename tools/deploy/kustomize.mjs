import { spawnSync } from 'node:child_process';
import { parseAllDocuments } from 'yaml';
import { repositoryRoot } from '../setup/repository.mjs';

/** Objects as JSON, by directory: rendering takes 0.3 s of CPU, and a program needs the same ones often. @type {Map<string, string>} */
const rendered = new Map();

/**
 * The objects that `kubectl kustomize` renders from a directory below deploy/. KUBECTL names another program. The caller may change the
 * objects.
 * @param {string} directory
 * @returns {any[]}
 */
export function renderKustomize(directory) {
  const objects = rendered.get(directory) ?? JSON.stringify(renderNow(directory));
  rendered.set(directory, objects);
  return JSON.parse(objects);
}

/** @param {string} directory */
function renderNow(directory) {
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
