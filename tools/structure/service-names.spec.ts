import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { repositoryRoot } from '../setup/repository.mjs';

const root = join(repositoryRoot, 'apps');
const services = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
  path => path.endsWith('.service.ts') && !path.includes('node_modules'),
);

describe('the name of a service', () => {
  it.each(services)('follows from its file: %s', path => {
    const expected = `${basename(path, '.service.ts').replaceAll('-', '')}service`;
    const names = [...readFileSync(join(root, path), 'utf8').matchAll(/^export (?:abstract )?class (\w+)/gm)];
    expect(names.map(([, name = '']) => name.toLowerCase())).toContain(expected);
  });
});
