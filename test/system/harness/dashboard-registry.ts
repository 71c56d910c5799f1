import { readFileSync } from 'node:fs';

export interface RegisteredPage {
  /** Below `/dashboard`, with `:parameters`. */
  path: string;
  role: 'owner' | 'administrator';
}

const registry = 'apps/dashboard/src/pages/registry.ts';
const forVisitors = 'apps/dashboard/src/frame/visitor-pages.ts';
const call = /\bpage\(\s*'([^']+)'/g;
const sharedPage = /^const (\w+) = page\(\s*'([^']+)'/gm;

/** The pages of each role, read from the source: a test needs none of the packages of the dashboard. */
export function registeredPages(): RegisteredPage[] {
  const source = readFileSync(registry, 'utf8');
  const [before = '', ofOwner = '', ofAdministrator = ''] = source.split(/\n {2}(?:owner|administrator): \[/);
  const shared = [...before.matchAll(sharedPage)].map(([, name = '', path = '']) => ({ name, path }));
  const pagesIn = (text: string, role: RegisteredPage['role']): RegisteredPage[] => [
    ...[...text.matchAll(call)].map(([, path = '']) => ({ path, role })),
    ...shared.filter(({ name }) => new RegExp(`\\b${name},`).test(text)).map(({ path }) => ({ path, role })),
  ];
  const pages = [...pagesIn(ofOwner, 'owner'), ...pagesIn(ofAdministrator, 'administrator')];
  const imported = source.split('import(').length - 1;
  const found = shared.length + [ofOwner, ofAdministrator].flatMap(text => [...text.matchAll(call)]).length;
  if (found !== imported) throw new Error(`${registry}: ${found} of ${imported} pages can be read`);
  return pages;
}

/** The pages without sign-in. */
export function visitorPages(): string[] {
  const source = readFileSync(forVisitors, 'utf8');
  const paths = [...source.matchAll(/\{ path: '([^']+)', load: \(\) => import\(/g)].map(([, path = '']) => path);
  const imported = source.split('import(').length - 1;
  if (paths.length !== imported) throw new Error(`${forVisitors}: ${paths.length} of ${imported} pages can be read`);
  return paths;
}

/** The path of a page, or the name of a button, with examples in the place of its parameters. */
export function addressOf(path: string, examples: Readonly<Record<string, string>>): string {
  return path.replaceAll(/:(\w+)/g, (_, name: string) => {
    const example = examples[name];
    if (example === undefined) throw new Error(`there is no example of “${name}” for ${path}`);
    return example;
  });
}
