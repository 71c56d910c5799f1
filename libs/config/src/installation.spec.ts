import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findInstallation, installation } from './installation.js';

describe('an installation', () => {
  const root = mkdtempSync(join(tmpdir(), 'rtms-installation-'));
  const deep = join(root, 'apps/gateway/dist/admin/cli');

  beforeAll(() => {
    mkdirSync(deep, { recursive: true });
    writeFileSync(join(root, 'package.json'), JSON.stringify({ name: 'rtms', version: '1.2.3' }));
    writeFileSync(join(root, 'apps/gateway/package.json'), JSON.stringify({ name: '@rtms/gateway', version: '9.9.9' }));
  });
  afterAll(() => rmSync(root, { recursive: true }));

  it('is found from a file of any depth', () => {
    for (const folder of [root, join(root, 'apps/gateway/dist'), deep])
      expect(findInstallation(folder)).toEqual({ root, version: '1.2.3' });
  });

  it('is this checkout', () => {
    expect(installation.root).toBe(process.cwd());
  });

  it('is not found in another folder', () => {
    expect(() => findInstallation(tmpdir())).toThrow(/No folder above .* has the package.json of rtms/);
  });
});
