/** Characters as the service counts them: code points. */
export function countCharacters(text: string): number {
  return [...text].length;
}

/** At most so many characters, and none cut in half: neither a code point nor what people see as one character. */
export function cutText(text: string, max: number): string {
  // No text has more characters than code units.
  if (text.length <= max) return text;
  const kept = [...text].slice(0, max).join('');
  return kept.length === text.length ? text : text.slice(0, boundaryBefore(text, kept.length));
}

/** What is longer than this is no character that anyone reads. */
const longestCharacter = 64;

function boundaryBefore(text: string, end: number): number {
  const segments = new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(text);
  const start = segments.containing(end)?.index ?? end;
  return start > 0 && end - start <= longestCharacter ? start : end;
}

/** What every place that keeps text can keep: no control characters but line breaks and tabs, no half characters. */
export function storableText(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(/[^\P{Cc}\t\n]/gu, '')
    .replace(/\p{Cs}/gu, '\uFFFD');
}
