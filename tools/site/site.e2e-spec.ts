/** @weight 1 for 30 s */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { globSync } from 'tinyglobby';
import { packSite } from '../release/artifacts.mjs';

const base = '/docs/rtms/';

/** Addresses in elements of a page. */
function addressesIn(html: string): string[] {
  return [...html.matchAll(/ (?:href|src)="([^"]+)"/g)].map(([, address = '']) => address.replaceAll('&amp;', '&'));
}

describe('the documentation site, built for a sub-path', () => {
  let folder: string;
  let pages: Map<string, string>;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'rtms-site-'));
    const words = ['tools/site/site.mjs', 'build', '--base', base, '--out', join(folder, 'site')];
    const { status, stdout, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8' });
    if (status !== 0) throw new Error(`${stdout}${stderr}`);
    const files = globSync('**/*.html', { cwd: join(folder, 'site') });
    pages = new Map(files.map(file => [file, readFileSync(join(folder, 'site', file), 'utf8')]));
  });

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const siteFiles = (): Set<string> => new Set(globSync('**', { cwd: join(folder, 'site') }));

  it('has guides, operations, decisions and the reference', () => {
    const wanted = ['index', 'quick-start', 'concepts', 'guides/obs', 'operations/settings', 'decisions/keys'];
    const generated = ['reference/http', 'reference/types/client', 'openapi/index'];
    expect([...pages.keys()]).toEqual(expect.arrayContaining([...wanted, ...generated].map(name => `${name}.html`)));
    expect(pages.get('reference/types/client.html')).toContain('joinRoom');
    expect(pages.get('quick-start.html')).toContain('npm run demo');
  });

  it('leads only to files and headings that exist, below its path', () => {
    const files = siteFiles();
    const broken = [...pages].flatMap(([page, html]) =>
      addressesIn(html)
        .filter(address => !/^(?:https?:|data:|mailto:|#)/.test(address))
        .filter(address => {
          const { pathname, hash } = new URL(address, `http://site${base}${page}`);
          const file = pathname.slice(base.length).replace(/^$|\/$/, '$&index.html');
          const anchor = decodeURIComponent(hash.slice(1));
          const target = pages.get(file) ?? pages.get(`${file}.html`);
          if (!pathname.startsWith(base) || !(files.has(file) || target)) return true;
          return anchor !== '' && !anchor.startsWith('/') && !target?.includes(` id="${anchor}"`);
        })
        .map(address => `${page}: ${address}`),
    );
    expect(broken).toEqual([]);
    expect([...pages.values()].flatMap(addressesIn).length).toBeGreaterThan(1_000);
  });

  it('loads nothing from other hosts', () => {
    const foreign = [...pages.values()].flatMap(html =>
      [...html.matchAll(/<(?:script|link|img)[^>]+(?:src|href)="(https?:[^"]+)"/g)].map(([, address]) => address),
    );
    expect(foreign).toEqual([]);
  });

  it('has an index for its search, and a dark mode', () => {
    const [index = ''] = globSync('static/search_index*.json', { cwd: join(folder, 'site') });
    expect(readFileSync(join(folder, 'site', index), 'utf8')).toContain('RTC_ANNOUNCED_ADDRESS');
    expect(pages.get('index.html')).toContain('dark');
  });

  it('is a file of the release', () => {
    const file = packSite('.', folder, join(folder, 'site'));
    const listed = spawnSync('tar', ['-tzf', join(folder, file)], { encoding: 'utf8' }).stdout.split('\n');
    expect(listed).toEqual(expect.arrayContaining(['rtms-docs/index.html', 'rtms-docs/openapi/openapi.json']));
  });

  it('documents each operation of the API', () => {
    const document = JSON.parse(readFileSync(join(folder, 'site/openapi/openapi.json'), 'utf8')) as {
      paths: Record<string, Record<string, { operationId: string }>>;
    };
    const ids = Object.values(document.paths).flatMap(methods => Object.values(methods).map(each => each.operationId));
    expect(ids.length).toBeGreaterThan(80);
    expect(ids.filter(id => !pages.get('reference/http.html')?.includes(`/${id}"`))).toEqual([]);
  });
});
