import type { Endpoint, Parameter, Schema } from './endpoints.js';

type FieldKind = 'text' | 'longText' | 'number' | 'integer' | 'choice' | 'choices' | 'list' | 'json';

/** One text or several. The request leaves empty values out. */
export type FieldValue = string | readonly string[];
export type FieldValues = Readonly<Record<string, FieldValue>>;

interface CommonField {
  /** The place and the path of the field: `body.ingest.protocol`. */
  key: string;
  name: string;
  isRequired: boolean;
  hint: string;
}

export interface InputField extends CommonField {
  kind: FieldKind;
  /** The choices are true and false. */
  isBoolean: boolean;
  choices: readonly string[];
  min: number | undefined;
  max: number | undefined;
  pattern: string | undefined;
  initial: FieldValue;
  example: FieldValue;
}

/** An object with known fields. */
interface GroupField extends CommonField {
  kind: 'group';
  fields: readonly FormField[];
}

/** The user cannot change the value, such as the action. */
interface ConstantField extends CommonField {
  kind: 'constant';
  value: string;
}

export type FormField = InputField | GroupField | ConstantField;

const longTextCharacters = 256;

/** The fields of path, query and body, in this order. */
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

/** An optional object gets no defaults: they would put it into each request. */
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

/** The bounds of a number, or of the length of a text or list. */
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

/** All inputs, including those of groups. */
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

/** Problems by the key of the field. */
export function fieldProblems(fields: readonly FormField[], values: FieldValues): Record<string, string> {
  return Object.fromEntries(fields.flatMap(field => (field.kind === 'constant' ? [] : problemsOf(field, values))));
}

function problemsOf(field: Exclude<FormField, { kind: 'constant' }>, values: FieldValues): [string, string][] {
  if (field.kind === 'group') {
    const isLeftOut = !field.isRequired && inputsOf(field.fields).every(({ key }) => isEmpty(values[key]));
    return isLeftOut ? [] : Object.entries(fieldProblems(field.fields, values));
  }
  const problem = problemOf(field, values[field.key] ?? '');
  return problem === undefined ? [] : [[field.key, problem]];
}

function problemOf(field: InputField, value: FieldValue): string | undefined {
  if (isEmpty(value)) return field.isRequired ? `${field.name} is required.` : undefined;
  return isFine(field, value) ? undefined : field.hint || `${field.name} is not valid.`;
}

const checks: Readonly<Record<InputField['kind'], (field: InputField, text: string) => boolean>> = {
  integer: (field, text) => /^-?\d+$/.test(text) && isWithin(field, Number(text)),
  number: (field, text) => text.trim() !== '' && isWithin(field, Number(text)),
  json: (_field, text) => isJson(text),
  choice: ({ choices }, text) => choices.includes(text),
  text: isTextFine,
  longText: isTextFine,
  list: () => false,
  choices: () => false,
};

function isFine(field: InputField, value: FieldValue): boolean {
  return typeof value === 'string' ? checks[field.kind](field, value) : isWithin(field, value.length);
}

function isTextFine(field: InputField, text: string): boolean {
  return isWithin(field, [...text].length) && matches(field.pattern, text);
}

function isWithin({ min = -Infinity, max = Infinity }: InputField, size: number): boolean {
  return size >= min && size <= max;
}

function matches(pattern: string | undefined, value: string): boolean {
  return pattern === undefined || new RegExp(pattern, 'u').test(value);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
