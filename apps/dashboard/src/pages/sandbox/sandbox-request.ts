import type { Endpoint, Method } from './endpoints.js';
import { isEmpty, type FieldValue, type FieldValues, type FormField, type InputField } from './form-fields.js';

/** A request without its key. */
export interface SandboxRequest {
  method: Method;
  /** Path and query. */
  target: string;
  body: Readonly<Record<string, unknown>> | undefined;
}

/** Builds the request from values without a problem. It leaves empty values out. */
export function sandboxRequest(
  { method, path, body }: Pick<Endpoint, 'method' | 'path' | 'body'>,
  fields: readonly FormField[],
  values: FieldValues,
): SandboxRequest {
  const ofPlace = (place: string) =>
    objectOf(
      fields.filter(({ key }) => key.startsWith(`${place}.`)),
      values,
    );
  return {
    method,
    target: `${filledPath(path, ofPlace('path'))}${queryText(ofPlace('query'))}`,
    body: body && ofPlace('body'),
  };
}

function objectOf(fields: readonly FormField[], values: FieldValues): Record<string, unknown> {
  const entries = fields.map((field): [string, unknown] => [field.name, valueOf(field, values)]);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

function valueOf(field: FormField, values: FieldValues): unknown {
  if (field.kind === 'constant') return field.value;
  if (field.kind !== 'group') return typedValue(field, values[field.key]);
  const group = objectOf(field.fields, values);
  return field.isRequired || Object.keys(group).length > 0 ? group : undefined;
}

function typedValue({ kind, isBoolean }: InputField, value: FieldValue | undefined): unknown {
  if (value === undefined || isEmpty(value)) return undefined;
  if (typeof value !== 'string') return value;
  if (kind === 'integer' || kind === 'number') return Number(value);
  if (isBoolean) return value === 'true';
  return kind === 'json' ? parsed(value) : value;
}

/** Text that is not JSON yet stays as it is. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

function filledPath(path: string, values: Readonly<Record<string, unknown>>): string {
  return path.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = values[name];
    return typeof value === 'string' ? encodeURIComponent(value) : whole;
  });
}

function queryText(values: Readonly<Record<string, unknown>>): string {
  const pairs = Object.entries(values).map(([name, value]): [string, string] => [name, String(value)]);
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs).toString()}`;
}

/** The call for a shell. It reads the key from the environment, so that copied text never holds the key. */
export function curlSnippet({ method, target, body }: SandboxRequest, baseUrl: string): string {
  const lines = [
    `curl${method === 'GET' ? '' : ` -X ${method}`} ${shellQuoted(`${baseUrl}${target}`)}`,
    '-H "Authorization: Bearer $RTMS_API_USERNAME:$RTMS_API_KEY"',
  ];
  if (body) lines.push("-H 'Content-Type: application/json'", `-d ${shellQuoted(JSON.stringify(body, null, 2))}`);
  return lines.join(' \\\n  ');
}

function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** The call in TypeScript, without packages. */
export function typeScriptSnippet({ method, target, body }: SandboxRequest, baseUrl: string): string {
  return [
    'const { RTMS_API_USERNAME, RTMS_API_KEY } = process.env;',
    '',
    `const response = await fetch(${JSON.stringify(`${baseUrl}${target}`)}, {`,
    ...(method === 'GET' ? [] : [`  method: '${method}',`]),
    '  headers: {',
    '    Authorization: `Bearer ${RTMS_API_USERNAME}:${RTMS_API_KEY}`,',
    ...(body ? ["    'Content-Type': 'application/json',"] : []),
    '  },',
    ...(body ? [`  body: JSON.stringify(${indented(JSON.stringify(body, null, 2))}),`] : []),
    '});',
    'const answer = await response.json();',
    'if (!response.ok) throw new Error(`${answer.code}: ${answer.error}`);',
  ].join('\n');
}

function indented(text: string): string {
  return text.replaceAll('\n', '\n  ');
}

/** The HTTP message. */
export function httpSnippet({ method, target, body }: SandboxRequest): string {
  const head = [`${method} ${target}`, 'Authorization: Bearer <api-username>:<api-key>'];
  if (!body) return head.join('\n');
  return [...head, 'Content-Type: application/json', '', JSON.stringify(body, null, 2)].join('\n');
}
