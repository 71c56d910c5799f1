import { countCharacters } from '../findings/characters.js';
import type { Place } from './place.js';

export interface ReadText {
  /** At least `max` characters of the text, or all of it. */
  text: string;
  /** Number of characters of the whole text. */
  characters: number;
  /** Names of variables that were filled in. */
  filled: Set<string>;
  /** Expressions that stay as they are. */
  expressions: Set<string>;
}

const placeholder = /\{\{\{([^{}]*)\}\}\}|\{\{([^{}]*)\}\}|\{%[^{}%]*%\}/g;
/** A name, perhaps with spaces, dots, slashes, hyphens or `&`, but without a filter, a quoted text or a call. */
const simpleName = /^[\p{L}\p{N}_][^|"()<>=[\]\n]*$/u;

/**
 * `{{variable}}` becomes `{variable}`, or its default where the definition has one. A short text can expand to gigabytes, so the text is
 * built up to `max` characters, and counted beyond.
 */
export function readVariables(text: string, max: number, known: ReadonlyMap<string, string> = new Map()): ReadText {
  const found = { filled: new Set<string>(), expressions: new Set<string>() };
  const built = new BoundedText(max);
  let end = 0;
  for (const match of text.matchAll(placeholder)) {
    built.add(text.slice(end, match.index));
    built.add(valueOf(match, known, found));
    end = match.index + match[0].length;
  }
  built.add(text.slice(end));
  return { text: built.text, characters: built.characters, ...found };
}

function valueOf(
  match: RegExpExecArray,
  known: ReadonlyMap<string, string>,
  found: Omit<ReadText, 'text' | 'characters'>,
) {
  const [whole, inThree, inTwo = ''] = match;
  const name = (inThree ?? inTwo).trim();
  if (!simpleName.test(name)) {
    found.expressions.add(whole);
    return whole;
  }
  const value = known.get(name);
  if (value === undefined) return `{${name}}`;
  found.filled.add(name);
  return value;
}

/** The defaults of variables, by name. A variable inside a default is not replaced. */
export function defaultsOf(known: Place | undefined): Map<string, string> {
  const values = (known?.entries() ?? []).map(([name, place]): [string, string | undefined] => [
    name,
    defaultOf(place),
  ]);
  return new Map(values.filter((entry): entry is [string, string] => entry[1] !== undefined));
}

function defaultOf(place: Place): string | undefined {
  const { value } = place;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (typeof value !== 'string') return undefined;
  const text = place.prose();
  return readVariables(text, text.length).text;
}

/** Keeps a text up to a bound, and counts the characters beyond the bound. */
class BoundedText {
  text = '';
  characters = 0;
  /** Counts by text, so that a repeated default is counted once. */
  private readonly counts = new Map<string, number>();

  constructor(private readonly max: number) {}

  add(piece: string): void {
    let count = this.counts.get(piece);
    if (count === undefined) this.counts.set(piece, (count = countCharacters(piece)));
    // Keeps one grapheme more, so that a cut can detect that it would split a grapheme. A code point has up to two units.
    if (this.characters <= this.max) this.text += piece.slice(0, (this.max + 65) * 2);
    this.characters += count;
  }
}
