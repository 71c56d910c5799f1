import { parse, printParseErrorCode, type ParseError } from 'jsonc-parser';
import { countCharacters } from '../findings/characters.js';
import type { ImportFailure } from '../findings/imported-agent.js';

/** Real definitions have at most 150,000 characters and 15 levels. */
export const definitionLimits = { characters: 500_000, depth: 64 } as const;

export type ParsedDefinition = { ok: true; value: unknown } | ({ ok: false } & ImportFailure);

export function parseDefinition(source: string): ParsedDefinition {
  if (source.length > definitionLimits.characters) {
    return { ok: false, code: 'too_large', values: { limit: definitionLimits.characters } };
  }
  const text = source.replace(/^\uFEFF/, '');
  if (text.trim() === '') return { ok: false, code: 'empty', values: {} };
  try {
    return withinDepth(JSON.parse(text));
  } catch {
    return { ok: false, ...describeError(text) };
  }
}

function withinDepth(value: unknown): ParsedDefinition {
  const { depth } = definitionLimits;
  return isDeeper(value, depth) ? { ok: false, code: 'too_deep', values: { limit: depth } } : { ok: true, value };
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some(inner => isDeeper(inner, levels - 1));
}

/** The message of JSON.parse depends on the engine and repeats the text, so jsonc-parser describes the error. */
function describeError(text: string): ImportFailure {
  const error = firstError(text);
  if (!error) return { code: 'not_json', values: { reason: '' } };
  return { code: 'not_json', values: { reason: printParseErrorCode(error.error) }, ...positionOf(text, error.offset) };
}

function firstError(text: string): ParseError | undefined {
  const errors: ParseError[] = [];
  try {
    parse(text, errors, { disallowComments: true, allowTrailingComma: false, allowEmptyContent: false });
  } catch {
    // The parser is recursive, and the brackets exceed the stack.
    return undefined;
  }
  return errors[0];
}

/** Line and column from 1; columns in code points. */
function positionOf(text: string, offset: number): { line: number; column: number } {
  const lines = text.slice(0, offset).split(/\r\n|\r|\n/);
  return { line: lines.length, column: countCharacters(lines.at(-1) ?? '') + 1 };
}
