import type { JsonSchema } from '../platform/openapi/json-schema.js';
import { beyondBounds } from './bad-bodies.js';
import { pathOf, type IDs, type RequestSample } from './request-samples.js';

interface BadAddress {
  what: string;
  /** The path and query. */
  url: string;
}

/** One just below the server's limit for a request line, and one above it. */
const longTexts = ['a'.repeat(14_000), 'a'.repeat(20_000)];
/** NUL, an unpaired surrogate, invalid UTF-8 and invalid percent encoding. */
const noText = ['%00', 'a%00b', '%ED%A0%80', '%E0%A4%A', '%FF', '%zz', '%'];
const noNames = [
  '__proto__',
  'constructor',
  'toString',
  '..%2F..%2Fadmin',
  '%40create',
  "'%20OR%201=1--",
  '%F0%9F%98%80',
];

/** Replaces one ID of the path at a time by a bad value. */
export function badPaths(sample: RequestSample, ids: IDs): BadAddress[] {
  const names = [...sample.template.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  return names.flatMap(name =>
    [...noText, ...noNames, ...longTexts].map(text => ({
      what: `${name}: ${text.slice(0, 40)}`,
      url: pathOf(sample, { ...ids, [name]: text }),
    })),
  );
}

/** Replaces one query parameter at a time by bad values. */
export function badQueries(sample: RequestSample, ids: IDs): BadAddress[] {
  const path = pathOf(sample, ids);
  return sample.parameters
    .filter(({ in: place }) => place === 'query')
    .flatMap(({ name, schema }) => {
      const valid = encodeURIComponent(String(ids[name] ?? (schema['examples'] as unknown[])[0]));
      // Any value except `1` returns a plain array.
      const values = name === 'envelope' ? noText : [...noText, ...badValues(schema)];
      const forms =
        name === 'envelope' ? [] : [`${name}[b]=${valid}`, `${name}[]=${valid}`, `${name}=${valid}&${name}=${valid}`];
      const queries = [...values.map(value => `${name}=${value}`), ...forms, `${name}=${longTexts[1]}`];
      return queries.map(query => ({ what: query.slice(0, 40), url: `${path}?${query}` }));
    });
}

function badValues(schema: JsonSchema): string[] {
  const numbers = schema.type === 'integer' ? ['x', '1.5', '1e3', '0x10', '%2B1', '%201', '99999999999'] : [];
  const times = schema['format'] === 'date-time' ? ['yesterday', '2026-13-45T00:00:00Z', '2026-11-21'] : [];
  const texts = schema.type === 'string' ? longTexts.slice(0, 1) : [];
  return ['', ...numbers, ...times, ...texts, ...beyondBounds(schema).map(value => encodeURIComponent(String(value)))];
}
