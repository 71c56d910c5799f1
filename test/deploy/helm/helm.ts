import { spawnSync } from 'node:child_process';
import { findHelm } from '../../../tools/setup/helm.mjs';
import { parseManifests, repository, type Manifest } from '../render.js';

const folder = 'deploy/helm/rtms';
const program = findHelm(process.env);

/** The reason why the chart is not tried here; undefined: there is Helm. */
export const helmRefusal =
  program === undefined ? 'The chart is not tried, as there is no Helm: run npm run setup, or set HELM.\n' : undefined;

/** Values in the order in which later ones win: files of the chart by name, and objects. */
export type Values = readonly (string | object)[];

/** The objects that `helm template` renders. Rejects values that the schema rejects. At most one object can be given. */
export function template(...values: Values): Manifest[] {
  const { status, stdout, stderr } = helm(['template', 'rtms', folder, '--namespace', 'rtms'], values);
  if (status !== 0) throw new Error(stderr);
  return parseManifests(stdout);
}

/** The findings of `helm lint --strict`, as it prints them, and whether it accepts the chart. */
export function lint(...values: Values): { accepts: boolean; output: string } {
  const { status, stdout, stderr } = helm(['lint', '--strict', folder], values);
  return { accepts: status === 0, output: `${stdout}${stderr}` };
}

function helm(command: string[], values: Values): { status: number | null; stdout: string; stderr: string } {
  if (program === undefined) throw new Error(helmRefusal);
  const files = values.flatMap(each => ['--values', typeof each === 'string' ? `${folder}/${each}` : '-']);
  const input = JSON.stringify(values.find(each => typeof each === 'object') ?? {});
  return spawnSync(program, [...command, ...files], { cwd: repository, encoding: 'utf8', input });
}
