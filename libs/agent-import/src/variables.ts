import type { Fields } from './fields.js';

export interface ReadText {
  text: string;
  /** Names of variables that were filled in. */
  filled: string[];
  /** Expressions that stay as they are. */
  expressions: string[];
}

const placeholder = /\{\{\{([^{}]*)\}\}\}|\{\{([^{}]*)\}\}|\{%[^{}%]*%\}/g;
/** A name, perhaps with spaces, dots, slashes, hyphens or `&`: no filter, no text in quotes, no call. */
const simpleName = /^[\p{L}\p{N}_][^|"()<>=[\]\n]*$/u;

/** `{{variable}}` becomes `{variable}`, or its value where one is known. */
export function readVariables(text: string, known: Fields = {}): ReadText {
  const filled: string[] = [];
  const expressions: string[] = [];
  const read = text.replace(placeholder, (whole: string, inThree?: string, inTwo?: string) => {
    const name = (inThree ?? inTwo ?? '').trim();
    if (!simpleName.test(name)) {
      expressions.push(whole);
      return whole;
    }
    const value = valueOf(known, name);
    if (value === undefined) return `{${name}}`;
    filled.push(name);
    return value;
  });
  return { text: read, filled, expressions };
}

function valueOf(known: Fields, name: string): string | undefined {
  const value = Object.hasOwn(known, name) ? known[name] : undefined;
  const fills = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
  return fills ? readVariables(String(value)).text : undefined;
}
