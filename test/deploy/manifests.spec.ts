import { readFileSync } from 'node:fs';
import { podsOf } from './pods.js';
import { parseManifests, render, repository, titleOf, type Manifest } from './render.js';
import { schemaProblems } from './schema/schema-problems.js';
import { securityProblems } from './security-problems.js';

const overlays = [
  'overlays/single-node',
  'overlays/production',
  'examples/external-addresses',
  'examples/hls-cache',
  'examples/ingest/production',
  'examples/ingest/single-node',
  'examples/private-networks',
  'examples/single-node-behind-nat',
  'examples/turn',
  'routes/gateway-api',
  'routes/ingress-nginx',
  'routes/traefik',
];
const files = ['examples/secrets/external-secrets.yaml', 'examples/cluster-issuers.yaml'];

async function problemsOf(manifests: readonly Manifest[]): Promise<string[]> {
  const problems: string[] = [];
  for (const manifest of manifests) problems.push(...(await schemaProblems(manifest)));
  return problems;
}

describe.each(overlays)('deploy/%s', overlay => {
  const manifests = render(overlay);

  it('is made of objects that Kubernetes and the operators know, in all of their fields', async () => {
    expect(await problemsOf(manifests)).toEqual([]);
  });

  it('names every object once', () => {
    const titles = manifests.map(titleOf);
    expect(titles).toHaveLength(new Set(titles).size);
  });

  it('gives its pods the fewest possible rights, and limits', () => {
    expect(podsOf(manifests).flatMap(securityProblems)).toEqual([]);
  });
});

it.each(files)('deploy/%s is made of objects that the operators know', async file => {
  expect(await problemsOf(parseManifests(readFileSync(`${repository}deploy/${file}`, 'utf8')))).toEqual([]);
});
