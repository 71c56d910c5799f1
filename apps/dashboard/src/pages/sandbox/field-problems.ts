import { sandboxTexts as texts } from '../../texts/sandbox.js';
import {
  inputsOf,
  isEmpty,
  type FieldValue,
  type FieldValues,
  type FormField,
  type InputField,
} from './form-fields.js';

/** What is wrong with each field, by its key. */
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
  if (isEmpty(value)) return field.isRequired ? texts.needed(field.name) : undefined;
  return isFine(field, value) ? undefined : field.hint || texts.notFitting(field.name);
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
