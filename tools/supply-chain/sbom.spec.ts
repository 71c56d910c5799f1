import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

interface Sbom {
  bomFormat: string;
  metadata: { component: { name: string } };
  components: { purl: string; version: string }[];
}

interface Manifest {
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
}

interface Lock {
  packages: Record<string, { dev?: boolean }>;
}

describe('the list of production packages', () => {
  it('has every dependency with its version, and no development dependency', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'sbom-'));
    const file = join(folder, 'rtms.cdx.json');
    await promisify(execFile)(process.execPath, ['tools/supply-chain/sbom.mjs', file]);
    const sbom = JSON.parse(await readFile(file, 'utf8')) as Sbom;
    const { dependencies, devDependencies } = JSON.parse(await readFile('package.json', 'utf8')) as Manifest;
    await rm(folder, { recursive: true });
    expect([sbom.bomFormat, sbom.metadata.component.name]).toEqual(['CycloneDX', 'rtms']);
    const listed = new Set(sbom.components.map(({ purl }) => decodeURIComponent(purl.replace(/\?.*/, ''))));
    const missing = Object.entries(dependencies).filter(([name, version]) => !listed.has(`pkg:npm/${name}@${version}`));
    expect(missing).toEqual([]);
    expect(dependencies['mediasoup']).toBeDefined();
    const names = new Set([...listed].map(purl => purl.slice('pkg:npm/'.length).replace(/@[^@]*$/, '')));
    // Production packages of others bring some of ours along, such as @types/node.
    const { packages } = JSON.parse(await readFile('package-lock.json', 'utf8')) as Lock;
    const developedWith = Object.keys(devDependencies).filter(name => packages[`node_modules/${name}`]?.dev);
    expect(developedWith).toEqual(expect.arrayContaining(['jest', 'oxlint', 'vite']));
    expect(developedWith.filter(name => names.has(name))).toEqual([]);
  });
});
