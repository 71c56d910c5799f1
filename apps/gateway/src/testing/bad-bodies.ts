import type { JsonSchema } from '../platform/openapi/json-schema.js';
import { validBody, validValue, type IDs } from './request-samples.js';

/** An invalid body, as text: JSON.stringify could not make some of them. */
interface BadBody {
  what: string;
  text: string;
  contentType?: string;
}

const megabyte = 'a'.repeat(1024 * 1024);
/** Below the server's limit for a body. */
const longText = 'a'.repeat(200 * 1024);

/** Names that every object inherits, and names that JavaScript and libraries look up in objects. */
export const hostileNames = [
  ...['constructor', 'prototype', 'toString', 'valueOf', 'hasOwnProperty', 'isPrototypeOf', '__defineGetter__'],
  ...['then', 'toJSON', 'length', 'name', 'type', 'default', 'message', 'inspect'],
];

/** Each name, with a value that has the names too. `parseStrictJSON` refuses `__proto__` first. */
const hostileObject = Object.fromEntries(
  hostileNames.map(name => [name, { constructor: 'x', then: null, [name]: { constructor: { name: 'x' } } }]),
);

/** Makes one field at a time wrong in an otherwise valid body. */
export function badBodies(schema: JsonSchema, ids: IDs): BadBody[] {
  const valid = validBody(schema, ids);
  const text = JSON.stringify(valid);
  const withName = (name: string, value: unknown) =>
    `${text.slice(0, -1)}${text === '{}' ? '' : ','}"${name}":${JSON.stringify(value)}}`;
  const fields = Object.entries(schema.properties ?? {});
  return [
    { what: 'an unknown field', text: withName('nobodyKnowsThis', 1) },
    { what: '__proto__', text: withName('__proto__', { a: 1 }) },
    { what: 'constructor', text: withName('constructor', 'x') },
    { what: 'names that objects inherit', text: JSON.stringify({ ...hostileObject, ...valid }) },
    { what: 'a truncated body', text: withName('more', 1).slice(0, -3) },
    { what: 'another content type', text: withName('more', 1), contentType: 'text/plain' },
    { what: 'a list', text: `[${text}]` },
    ...('action' in valid ? [{ what: 'a wrong action', text: JSON.stringify({ ...valid, action: 'paint' }) }] : []),
    ...fields.flatMap(([name, field]) => badFields(valid, name, field, (schema.required ?? []).includes(name), ids)),
  ];
}

function badFields(
  valid: Record<string, unknown>,
  name: string,
  field: JsonSchema,
  isRequired: boolean,
  ids: IDs,
): BadBody[] {
  const { [name]: _, ...rest } = valid;
  const withValue = (value: unknown) => JSON.stringify({ ...rest, [name]: value });
  const twice = `${withValue(validValue(name, field, ids)).slice(0, -1)},"${name}":1}`;
  const nested = Object.entries(field.properties ?? {}).flatMap(([inner, schema]) =>
    badFields(validBody(field, ids), inner, schema, (field.required ?? []).includes(inner), ids).map(bad => ({
      what: `${bad.what} in ${name}`,
      text: `${JSON.stringify({ ...rest, [name]: 0 }).slice(0, -2)}${bad.text}}`,
    })),
  );
  return [
    ...(isRequired ? [{ what: `no ${name}`, text: JSON.stringify(rest) }] : []),
    { what: `${name} twice`, text: twice },
    ...badValues(field).map(value => ({ what: `${name}: ${shown(value)}`, text: withValue(value) })),
    ...nested,
  ];
}

/** Valid but unusual bodies. The answer depends on the state of the service. */
export function oddBodies(schema: JsonSchema, ids: IDs): BadBody[] {
  const valid = validBody(schema, ids);
  const fields = Object.entries(schema.properties ?? {});
  const nulls = fields.filter(([, field]) => [field.type].flat().includes('null')).map(([name]) => name);
  const open = fields.filter(([, field]) => [field.type].flat().includes('object') && !field.properties);
  const odd = [
    ...nulls.map(name => ({ what: `${name}: null`, body: { ...valid, [name]: null } })),
    { what: 'each null', body: { ...valid, ...Object.fromEntries(nulls.map(name => [name, null])) } },
    ...open.map(([name]) => ({ what: `inherited names in ${name}`, body: { ...valid, [name]: hostileObject } })),
  ];
  return odd.map(({ what, body }) => ({ what, text: JSON.stringify(body) }));
}

function shown(value: unknown): string {
  return (JSON.stringify(typeof value === 'string' ? value.slice(0, 40) : value) ?? '').slice(0, 40);
}

/** Values that the schema of a field disallows. */
function badValues(schema: JsonSchema): unknown[] {
  const types = [schema.type ?? []].flat();
  const wrong = [null, true, 7.5, 'x', [], {}, hostileObject, [hostileObject], [[]]].filter(
    value => !types.some(type => hasType(value, type)),
  );
  const text = types.includes('string') ? [megabyte, longText, '\0', 'a\u0000b', '\ud800'] : [];
  return [...wrong, ...text, ...beyondBounds(schema)];
}

function hasType(value: unknown, type: string): boolean {
  if (type === 'null') return value === null;
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value);
  return typeof value === (type === 'integer' ? 'never' : type);
}

/** For each bound of a schema, a value just beyond it. */
const beyond: Readonly<Record<string, (bound: number, item: unknown) => unknown>> = {
  minLength: bound => 'a'.repeat(Math.max(0, bound - 1)),
  maxLength: bound => 'a'.repeat(bound + 1),
  minimum: bound => bound - 1,
  maximum: bound => bound + 1,
  minItems: (bound, item) => Array(Math.max(0, bound - 1)).fill(item),
  maxItems: (bound, item) => Array(bound + 1).fill(item),
};

export function beyondBounds(schema: JsonSchema): unknown[] {
  const { items, enum: values } = schema;
  const item = items?.enum?.[0] ?? 'a.example.com';
  const bounds = Object.entries(beyond).filter(([name]) => typeof schema[name] === 'number' && schema[name] !== 0);
  const zero = schema['minimum'] === 0 ? [-1] : [];
  return [
    ...bounds.map(([name, make]) => make(schema[name] as number, item)),
    ...zero,
    ...(values ? ['', 'no such value'] : []),
    ...(items ? [[{}], ['\0'], [null], [hostileObject], [[]]] : []),
  ];
}
