import { ofKind, render, type Manifest } from '../render.js';
import { schemaProblems } from './schema-problems.js';

/** A copy of one object of the production overlay, changed. */
function broken(kind: string, name: string, change: (manifest: Manifest) => void): Manifest {
  const found = ofKind(manifests, kind).find(({ metadata }) => metadata.name === name);
  const copy = structuredClone(found!);
  change(copy);
  return copy;
}

const manifests = render('overlays/production');

describe('the schemas', () => {
  it.each<[string, string, string, (manifest: Manifest) => void, string]>([
    ['a field that is missing', 'Deployment', 'gateway', ({ spec }) => delete spec.template, '/spec'],
    ['a misspelt field', 'Deployment', 'gateway', ({ spec }) => (spec.template.spec.hostNetwrok = true), 'hostNetwrok'],
    [
      'a misspelt field deep inside',
      'Deployment',
      'sfu',
      ({ spec }) => (spec.template.spec.containers[0].livenessProbe.httpGet.pth = '/'),
      '/spec/template/spec/containers/0/livenessProbe/httpGet/pth',
    ],
    ['a value of another type', 'Service', 'gateway', ({ spec }) => (spec.ports[0].port = 'http'), 'port'],
    ['a misspelt field of an operator', 'ScaledObject', 'sfu', ({ spec }) => (spec.maxReplicas = 3), 'maxReplicas'],
    ['an unknown version', 'NetworkPolicy', 'nats', manifest => (manifest.apiVersion = 'extensions/v2'), 'no schema'],
    ['an unknown kind', 'NetworkPolicy', 'nats', manifest => (manifest.kind = 'NetworkPolice'), 'no schema'],
    ['a misspelt label map', 'PodDisruptionBudget', 'sfu', ({ spec }) => (spec.selectr = {}), 'selectr'],
    ['a backup that goes nowhere', 'ObjectStore', 'postgres-backups', ({ spec }) => (spec.wal = {}), 'wal'],
  ])('find %s', async (_what, kind, name, change, told) => {
    const problems = await schemaProblems(broken(kind, name, change));
    expect(problems.join('\n')).toContain(told);
  });

  it('find no fault in a correct object', async () => {
    expect(await schemaProblems(broken('Deployment', 'gateway', () => undefined))).toEqual([]);
  });
});
