import { readFileSync } from 'node:fs';

export interface RegisteredPage {
  /** Below `/dashboard`, with `:parameters`. */
  path: string;
  role: 'owner' | 'administrator';
}

const registry = 'apps/dashboard/src/pages/registry.ts';
const entry = /path: '([^']+)',(?:(?!path:).)*?roles: ([^\n]+),\n(?:(?!path:).)*?load:/gs;

/** Every page of the dashboard for everybody who may see it, read from the source: a test needs none of its packages. */
export function registeredPages(): RegisteredPage[] {
  const source = readFileSync(registry, 'utf8');
  const entries = [...source.matchAll(entry)];
  const expected = source.split('load: () => import(').length - 1;
  if (entries.length !== expected) throw new Error(`${registry}: ${entries.length} of ${expected} pages can be read`);
  return entries.flatMap(([, path = '', roles = '']) =>
    (['owner', 'administrator'] as const).filter(role => roles.includes(role)).map(role => ({ path, role })),
  );
}

/** The path of a page, or the name of a button, with examples in the place of its parameters. */
export function addressOf(path: string, examples: Readonly<Record<string, string>>): string {
  return path.replaceAll(/:(\w+)/g, (_, name: string) => {
    const example = examples[name];
    if (example === undefined) throw new Error(`there is no example of “${name}” for ${path}`);
    return example;
  });
}
