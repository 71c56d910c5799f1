/** Characters as the service counts them: code points. */
export function countCharacters(text: string): number {
  let count = 0;
  for (let unit = 0; unit < text.length; unit += (text.codePointAt(unit) ?? 0) > 0xffff ? 2 : 1) count += 1;
  return count;
}

/** Marks that follow a letter, or parts of an emoji, make one character. People read none that is longer than this. */
const longestCharacter = 64;

/**
 * At most `max` characters, and none cut in half: neither a code point nor a grapheme. The time depends on `max` alone,
 * not on the text's length.
 */
export function cutText(text: string, max: number): string {
  // No text has more characters than code units, and no character has more than two.
  if (text.length <= max) return text;
  const kept = [...text.slice(0, max * 2)].slice(0, max).join('');
  return kept.length === text.length ? text : text.slice(0, boundaryBefore(text, kept.length));
}

function boundaryBefore(text: string, end: number): number {
  const near = text.slice(0, end + longestCharacter);
  const start = new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(near).containing(end)?.index ?? end;
  return start > 0 && end - start <= longestCharacter ? start : end;
}

/** Text that PostgreSQL and JSON can hold: no control characters but line breaks and tabs, no half code points. */
export function storableText(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(/[^\P{Cc}\t\n]/gu, '')
    .replace(/\p{Cs}/gu, '\uFFFD');
}
