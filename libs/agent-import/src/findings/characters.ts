/** Counts code points. */
export function countCharacters(text: string): number {
  let count = 0;
  for (let unit = 0; unit < text.length; unit += (text.codePointAt(unit) ?? 0) > 0xffff ? 2 : 1) count += 1;
  return count;
}

/** Code units of the longest grapheme that is kept whole; real ones are shorter. */
const longestCharacter = 64;

/**
 * Cuts a text to at most `max` code points, without splitting a code point or a grapheme. The time depends only on `max`, not on
 * the length of the text.
 */
export function cutText(text: string, max: number): string {
  // A code point has one or two code units.
  if (text.length <= max) return text;
  const kept = [...text.slice(0, max * 2)].slice(0, max).join('');
  return kept.length === text.length ? text : text.slice(0, boundaryBefore(text, kept.length));
}

function boundaryBefore(text: string, end: number): number {
  const near = text.slice(0, end + longestCharacter);
  const start = new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(near).containing(end)?.index ?? end;
  return start > 0 && end - start <= longestCharacter ? start : end;
}

/** Converts to text that PostgreSQL and JSON can store: no control characters except LF and tab, no lone surrogates. */
export function storableText(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(/[^\P{Cc}\t\n]/gu, '')
    .replace(/\p{Cs}/gu, '\uFFFD');
}
