import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { variables } from '../../apps/gateway/src/gateway.config.js';

const settings = 'docs/operations/settings.md';
const otherPages = ['accounts', 'recordings', 'retention'].map(name => `docs/operations/${name}.md`);
const schemas = [
  'apps/*/src/*.config.ts',
  'apps/gateway/src/admin/retention/retention-periods.ts',
  'apps/gateway/src/accounts/limits/account-limits.ts',
  'libs/config/src/*-config.ts',
];
const name = /[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+|HOST|PORT/.source;

/** The text of the files of the repository that match the patterns of Git. */
function read(patterns: readonly string[]): string {
  const paths = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '--', ...patterns], { encoding: 'utf8' });
  return paths
    .trim()
    .split('\n')
    .map(path => readFileSync(path, 'utf8'))
    .join('\n');
}

/** Variables of the configuration's schemas. */
function declaredVariables(): string[] {
  const keys = read(schemas).matchAll(new RegExp(`^ +(?:\\w+: ')?(${name})(?::|',$)`, 'gm'));
  return [...new Set([...keys].map(([, key = '']) => key))];
}

/** Numbers that variables have by default. */
function defaultNumbers(): [key: string, value: number][] {
  const ofMediaNodes = read(schemas).matchAll(new RegExp(`^ +(${name}):.*\\.default\\(([\\d_]+)\\)`, 'gm'));
  const ofGateway = Object.entries(variables.shape).flatMap(([key, schema]): [string, number][] => {
    const { data } = schema.safeParse(undefined);
    return typeof data === 'number' ? [[key, data]] : [];
  });
  return [
    ...ofGateway,
    ...[...ofMediaNodes].map(([, key = '', value = '']): [string, number] => [key, Number(value.replaceAll('_', ''))]),
  ];
}

function rowsOf(pages: readonly string[]): string[] {
  return read(pages).match(/^\|.+\|$/gm) ?? [];
}

function variablesIn(row: string): string[] {
  return [...row.matchAll(new RegExp(`\`(${name})\``, 'g'))].map(([, key = '']) => key);
}

/** Variables in the tables of pages. */
function documentedVariables(pages: readonly string[]): string[] {
  return rowsOf(pages).flatMap(variablesIn);
}

describe('the pages about settings', () => {
  const declared = declaredVariables();

  it('have each variable of the services', () => {
    expect(declared.length).toBeGreaterThan(80);
    const documented = new Set(documentedVariables([settings, ...otherPages, 'docs/logs-and-traces.md']));
    expect(declared.filter(key => !documented.has(key))).toEqual([]);
  });

  it('have the default of each number', () => {
    const rows = rowsOf([settings, ...otherPages]);
    const numbersOf = (key: string): string[] =>
      rows.filter(row => variablesIn(row).includes(key)).flatMap(row => row.match(/\b\d+\b/g) ?? []);
    expect(defaultNumbers().length).toBeGreaterThan(30);
    expect(defaultNumbers().filter(([key, value]) => !numbersOf(key).includes(String(value)))).toEqual([]);
  });

  it('have only variables that a program reads', () => {
    const starting = read(['tools/embedded/*.mjs', 'tools/setup/*.mjs', 'tools/start.mjs']);
    // `npm start` builds names such as `SFU_PORT` from the name of the service.
    const built = (key: string): string => key.replace(/^(?:GATEWAY|SFU|TRANSCODER)_/, '_');
    const known = (key: string): boolean => declared.includes(key) || starting.includes(built(key));
    expect(documentedVariables([settings, ...otherPages]).filter(key => !known(key))).toEqual([]);
  });
});
