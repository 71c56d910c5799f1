import { parse } from 'node:querystring';

/**
 * Plain names and values. `name[x]=…`, with which some programs write lists and objects, counts as `name` given as a
 * list, so that a parameter that takes one value refuses it and never passes it over as a name that it does not know.
 */
export function parseQuery(text: string | null | undefined): Record<string, unknown> {
  const query: Record<string, unknown> = parse(text ?? '');
  for (const name of Object.keys(query)) {
    const base = /^([^[\]]+)\[/.exec(name)?.[1];
    if (base !== undefined) query[base] = [query[base] ?? [], query[name]].flat();
  }
  return query;
}
