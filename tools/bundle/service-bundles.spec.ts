import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { repositoryRoot } from '../setup/repository.mjs';
import { bundleService, services, type Service } from './service-bundles.mjs';
import { SourcePlaces } from './source-places.mjs';

const distOf = (service: Service): string => join(repositoryRoot, 'apps', service, 'dist');
const isInstalled = (name: string): boolean => existsSync(join(repositoryRoot, 'node_modules', name));

/** Path and text of each file of a bundle. */
const filesOf = (folder: string): [path: string, text: string][] =>
  readdirSync(folder)
    .filter(name => name.endsWith('.js'))
    .map(name => [join(folder, name), readFileSync(join(folder, name), 'utf8')]);

/** Packages that esbuild has left to Node.js: `from"…"`, `import"…"`, `import("…")`, `__require("…")`. */
function packagesOutside(text: string): string[] {
  const found = text.matchAll(/(?:\bimport(?:[^"\n;()]*from)?|\bimport\(|\b__require\()"([^".][^"]*)"/g);
  const paths = [...found].map(([, path = '']) => path).filter(path => !isBuiltin(path));
  return paths.map(path => path.split('/', path.startsWith('@') ? 2 : 1).join('/'));
}

describe('the bundle of a service', () => {
  it.each([
    ['gateway', ['@node-rs/argon2']],
    ['sfu', ['node-datachannel']],
    ['transcoder', ['@ffmpeg-installer/ffmpeg', 'node-datachannel']],
    ['ingest', ['@ffmpeg-installer/ffmpeg', 'node-datachannel']],
  ] as const)('of the %s loads no installed package but those with a native part', (service, separate) => {
    const outside = new Set(filesOf(distOf(service)).flatMap(([, text]) => packagesOutside(text)));
    expect([...outside].filter(isInstalled).sort()).toEqual(separate);
  });

  it.each(services)('of the %s imports packages of CommonJS late by their default export only', service => {
    const files = filesOf(distOf(service));
    const isCommonJs = (name: string): boolean =>
      files.some(([path, text]) => path.endsWith(`/${name}`) && text.includes('export default require_'));
    const imports = files.flatMap(([, text]) => [
      ...text.matchAll(/\{([^{}]*)\}\s*=\s*await import\("\.\/([^"]+)"\)/g),
    ]);
    const late = imports.filter(([, , name = '']) => isCommonJs(name)).map(([, members = '']) => members);
    expect(late.filter(members => !/^default:\w+$/.test(members))).toEqual([]);
  });

  it('replaces the files of an earlier build', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'rtms-bundle-'));
    writeFileSync(join(folder, 'chunk-OLD.js'), '');
    await bundleService(repositoryRoot, 'ingest', folder);
    expect(readdirSync(folder)).toEqual(expect.arrayContaining(['main.js', 'main.js.map', 'lease-worker.js']));
    expect(existsSync(join(folder, 'chunk-OLD.js'))).toBe(false);
    rmSync(folder, { recursive: true });
  });

  it('has a map that finds the source of each place', () => {
    const [file = '', text = ''] =
      filesOf(distOf('ingest')).find(([, each]) => each.includes('EncodersService=class')) ?? [];
    const place = new SourcePlaces().atOffset(pathToFileURL(file).href, text.indexOf('EncodersService=class'));
    const source = join(repositoryRoot, 'apps/ingest/src/encoders.service.ts');
    expect(place.url).toBe(pathToFileURL(source).href);
    expect(readFileSync(source, 'utf8').split('\n')[place.line - 1]).toContain('class EncodersService');
  });

  it('names source files in stacks', () => {
    const env = { PATH: process.env['PATH'] };
    const { stdout, status } = spawnSync(process.execPath, [join(distOf('gateway'), 'main.js')], {
      env,
      encoding: 'utf8',
    });
    expect(status).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      msg: 'the gateway could not start',
      err: { stack: expect.stringMatching(/\/libs\/config\/src\/load-config\.ts:\d+:\d+/) },
    });
  });
});
