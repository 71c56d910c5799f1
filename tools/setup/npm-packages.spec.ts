import { npmFailureMessage, packagesToInstall, RegistryWatch } from './npm-packages.mjs';

const lock = (packages: Record<string, { version?: string; link?: boolean; optional?: boolean }>) => ({ packages });

describe('the npm packages that have to be installed', () => {
  it('are all when nothing is installed', () => {
    expect(packagesToInstall(lock({ '': {}, 'node_modules/pg': { version: '8.0.0' } }), {})).toEqual(['pg']);
  });

  it('are none when every version is right', () => {
    const packages = lock({ 'node_modules/pg': { version: '8.0.0' } });
    expect(packagesToInstall(packages, packages)).toEqual([]);
  });

  it('are those of another version', () => {
    const wanted = lock({ 'node_modules/pg': { version: '8.1.0' }, 'node_modules/zod': { version: '4.0.0' } });
    const installed = lock({ 'node_modules/pg': { version: '8.0.0' }, 'node_modules/zod': { version: '4.0.0' } });
    expect(packagesToInstall(wanted, installed)).toEqual(['pg']);
  });

  it('are not the optional ones of other platforms', () => {
    const wanted = lock({ 'node_modules/@x/windows': { version: '1.0.0', optional: true } });
    expect(packagesToInstall(wanted, lock({}))).toEqual([]);
  });

  it('are not the workspaces themselves, only the links to them', () => {
    const wanted = lock({ 'apps/gateway': { version: '0.1.0' }, 'node_modules/@rtms/gateway': { link: true } });
    expect(packagesToInstall(wanted, lock({}))).toEqual(['@rtms/gateway']);
  });
});

describe('the message when npm fails', () => {
  it.each(['ENOTFOUND', 'EAI_AGAIN', 'ECONNREFUSED', 'ETIMEDOUT'])('is to check the network after %s', code => {
    expect(npmFailureMessage(`npm error code ${code}\nnpm error network request failed`)).toMatch(/^The npm registry/);
  });

  it('is npm’s own message otherwise, in one line', () => {
    const message = npmFailureMessage('npm error code EUSAGE\nnpm error lock file is out of sync\n');
    expect(message).toContain('lock file is out of sync');
    expect(message).not.toContain('\n');
  });
});

describe('whether a registry answers', () => {
  const failure = 'npm http fetch GET http://registry/pg attempt 1 failed with ECONNREFUSED';
  const success = 'npm http fetch GET 200 http://registry/pg 20ms (cache miss)';

  it('is no after six failures and nothing else', () => {
    const watch = new RegistryWatch();
    const hopes = Array.from({ length: 6 }, () => watch.isHopeful(failure));
    expect(hopes).toEqual([true, true, true, true, true, false]);
  });

  it('is yes once a package has arrived', () => {
    const watch = new RegistryWatch();
    watch.isHopeful(success);
    expect(Array.from({ length: 9 }, () => watch.isHopeful(failure))).not.toContain(false);
    expect(watch.fetched).toBe(1);
  });
});
