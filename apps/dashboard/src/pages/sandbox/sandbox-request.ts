import type { Endpoint, Method } from './endpoints.js';
import { isEmpty, type FieldValue, type FieldValues, type FormField, type InputField } from './form-fields.js';

/** What is sent, without the key. */
export interface SandboxRequest {
  method: Method;
  /** With the query. */
  target: string;
  body: Readonly<Record<string, unknown>> | undefined;
}

/** Of values that have no problem. What is empty is left out. */
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

/** What is no JSON yet is shown as it stands. */
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
