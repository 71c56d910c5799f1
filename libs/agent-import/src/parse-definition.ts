import { parse, printParseErrorCode, type ParseError } from 'jsonc-parser';
import type { ImportFailure } from './imported-agent.js';

/** Real definitions have some 150,000 at most. */
const maxCharacters = 500_000;

export type ParsedDefinition = { ok: true; value: unknown } | ({ ok: false } & ImportFailure);

export function parseDefinition(source: string): ParsedDefinition {
  const text = source.replace(/^\uFEFF/, '');
  if (text.trim() === '') {
    return { ok: false, code: 'empty', message: 'There is nothing to import: paste an agent’s definition as JSON.' };
  }
  if (text.length > maxCharacters) {
    return {
      ok: false,
      code: 'too_large',
      message: 'The text is too long: a definition has at most 500,000 characters.',
    };
  }
  try {
    return { ok: true, value: JSON.parse(text) as unknown };
  } catch {
    return { ok: false, code: 'not_json', ...describeError(text) };
  }
}

/** What JSON.parse tells differs from engine to engine, and repeats the text. */
function describeError(text: string): { message: string; line?: number; column?: number } {
  const error = firstError(text);
  if (!error) return { message: 'The text is not JSON.' };
  const { line, column } = positionOf(text, error.offset);
  return { message: `The text is not JSON: line ${line}, column ${column}: ${meaningOf(error)}.`, line, column };
}

function firstError(text: string): ParseError | undefined {
  const errors: ParseError[] = [];
  try {
    parse(text, errors, { disallowComments: true, allowTrailingComma: false, allowEmptyContent: false });
  } catch {
    // Too many brackets in each other to be followed.
    return undefined;
  }
  return errors[0];
}

/** Both from 1, columns in characters as people count them. */
function positionOf(text: string, offset: number): { line: number; column: number } {
  const lines = text.slice(0, offset).split(/\r\n|\r|\n/);
  return { line: lines.length, column: [...(lines.at(-1) ?? '')].length + 1 };
}

const meanings: Readonly<Record<string, string>> = {
  InvalidSymbol: 'this is no value that JSON knows; texts and names stand in double quotes',
  InvalidNumberFormat: 'this number is not written as JSON writes numbers',
  UnexpectedEndOfNumber: 'this number is not complete',
  PropertyNameExpected: 'a name in double quotes is missing; no comma stands after the last field',
  ValueExpected: 'a value is missing; no comma stands after the last one',
  ColonExpected: 'a colon is missing',
  CommaExpected: 'a comma is missing',
  CloseBraceExpected: 'a closing brace is missing',
  CloseBracketExpected: 'a closing bracket is missing',
  EndOfFileExpected: 'there is more after the end of the definition',
  InvalidCommentToken: 'JSON has no comments',
  UnexpectedEndOfComment: 'JSON has no comments',
  UnexpectedEndOfString: 'this text is not closed on its line; a line break in a text is written \\n',
  InvalidUnicode: 'a \\u in this text is not followed by four digits',
  InvalidEscapeCharacter: 'a backslash in this text is followed by a character that it can’t stand before',
  InvalidCharacter: 'this text has a control character in it, such as a tab; it is written \\t',
};

function meaningOf({ error }: ParseError): string {
  return meanings[printParseErrorCode(error)] ?? 'this is not expected here';
}
