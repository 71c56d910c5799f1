import type { Endpoint } from './endpoints.js';
import type { Parameter, Schema } from './openapi-document.js';

export type FieldKind = 'text' | 'longText' | 'number' | 'integer' | 'choice' | 'choices' | 'list' | 'json';

/** A text, or several; an empty one is left out of the request. */
export type FieldValue = string | readonly string[];
export type FieldValues = Readonly<Record<string, FieldValue>>;

interface CommonField {
  /** Where it goes, and its names from the outside in: `body.ingest.protocol`. */
  key: string;
  name: string;
  isRequired: boolean;
  hint: string;
}

export interface InputField extends CommonField {
  kind: FieldKind;
  /** Whether a choice is true or false. */
  isBoolean: boolean;
  choices: readonly string[];
  min: number | undefined;
  max: number | undefined;
  pattern: string | undefined;
  initial: FieldValue;
  example: FieldValue;
}

/** An object whose fields are known. */
export interface GroupField extends CommonField {
  kind: 'group';
  fields: readonly FormField[];
}

/** Not to be changed, such as the action. */
export interface ConstantField extends CommonField {
  kind: 'constant';
  value: string;
}

export type FormField = InputField | GroupField | ConstantField;

const longTextCharacters = 256;

/** The form of an endpoint: path, query, body. */
export function formFields({ parameters, body }: Endpoint): FormField[] {
  const fields = parameters.map(parameter => parameterField(parameter));
  const inBody = body ? objectFields(body, 'body', true) : [];
  return [
    ...fields.filter(({ key }) => key.startsWith('path.')),
    ...fields.filter(({ key }) => key.startsWith('query.')),
    ...inBody,
  ];
}

function parameterField({ name = '', in: place = 'query', required = false, description, schema = {} }: Parameter) {
  return fieldOf(name, { ...schema, ...(description !== undefined && { description }) }, place, required, true);
}

function objectFields(schema: Schema, prefix: string, startsWithDefaults: boolean): FormField[] {
  return Object.entries(schema.properties ?? {}).map(([name, one]) =>
    fieldOf(name, one, prefix, schema.required?.includes(name) ?? false, startsWithDefaults),
  );
}

/** Defaults of an object that may be left out would put it into the request. */
function fieldOf(name: string, schema: Schema, prefix: string, isRequired: boolean, withDefault: boolean): FormField {
  const common = { key: `${prefix}.${name}`, name, isRequired, hint: schema.description ?? '' };
  if (schema.const !== undefined) return { ...common, kind: 'constant', value: textOf(schema.const) };
  if (schema.properties) {
    return { ...common, kind: 'group', fields: objectFields(schema, common.key, withDefault && isRequired) };
  }
  return { ...common, ...inputOf(schema, withDefault) };
}

function inputOf(schema: Schema, withDefault: boolean): Omit<InputField, keyof CommonField> {
  const kind = kindOf(schema);
  const isList = kind === 'list' || kind === 'choices';
  return {
    kind,
    isBoolean: typesOf(schema).includes('boolean'),
    choices: choicesOf(isList ? (schema.items ?? {}) : schema),
    ...boundsOf(schema),
    pattern: isList ? undefined : schema.pattern,
    initial: valueOf(withDefault ? schema.default : undefined, kind),
    example: valueOf(schema.examples?.[0], kind),
  };
}

function typesOf({ type }: Schema): readonly string[] {
  const types = typeof type === 'string' ? [type] : (type ?? []);
  return types.filter(each => each !== 'null');
}

const kindsOfTypes: Readonly<Record<string, FieldKind>> = {
  integer: 'integer',
  number: 'number',
  boolean: 'choice',
  object: 'json',
};

function kindOf(schema: Schema): FieldKind {
  const [type = 'object'] = typesOf(schema);
  if (type === 'array') return kindOfList(schema.items ?? {});
  if (schema.enum) return 'choice';
  if (type === 'string') return (schema.maxLength ?? 0) > longTextCharacters && !schema.pattern ? 'longText' : 'text';
  return kindsOfTypes[type] ?? 'json';
}

function kindOfList(items: Schema): FieldKind {
  if (items.enum) return 'choices';
  return typesOf(items)[0] === 'string' ? 'list' : 'json';
}

function choicesOf(schema: Schema): string[] {
  if (typesOf(schema).includes('boolean')) return ['true', 'false'];
  return (schema.enum ?? []).filter(choice => choice !== null).map(String);
}

/** Of the number, or of how long a text or list is. */
function boundsOf(schema: Schema): { min: number | undefined; max: number | undefined } {
  return {
    min: schema.minimum ?? schema.minLength ?? schema.minItems,
    max: schema.maximum ?? schema.maxLength ?? schema.maxItems,
  };
}

function valueOf(value: unknown, kind: FieldKind): FieldValue {
  if (kind === 'list' || kind === 'choices') return Array.isArray(value) ? value.map(textOf) : [];
  return value === undefined || value === null ? '' : textOf(value);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}

/** Those that are filled in, groups opened. */
export function inputsOf(fields: readonly FormField[]): InputField[] {
  return fields.flatMap(field => {
    if (field.kind === 'group') return inputsOf(field.fields);
    return field.kind === 'constant' ? [] : [field];
  });
}

export function initialValues(fields: readonly FormField[]): FieldValues {
  return Object.fromEntries(inputsOf(fields).map(({ key, initial }) => [key, initial]));
}

export function exampleValues(fields: readonly FormField[]): FieldValues {
  return Object.fromEntries(
    inputsOf(fields).map(({ key, example, initial }) => [key, isEmpty(example) ? initial : example]),
  );
}

export function isEmpty(value: FieldValue | undefined): boolean {
  return value === undefined || value.length === 0;
}
