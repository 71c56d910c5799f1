import { render, titleOf, type Manifest } from './render.js';
import { schemaProblems } from './schema-problems.js';

const overlays = ['overlays/single-node', 'overlays/production'];

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
});
