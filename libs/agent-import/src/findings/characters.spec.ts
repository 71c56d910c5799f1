import fc from 'fast-check';
import { countCharacters, cutText, storableText } from './characters.js';
import { importedA, notesOf } from '../testing/definitions.js';

const family = '👨‍👩‍👧‍👦';
const accented = 'e\u0301';

describe('cutting text', () => {
  it.each<[string, string, number, string]>([
    ['shorter text', 'abc', 4, 'abc'],
    ['text of the length', 'abcd', 4, 'abcd'],
    ['longer text', 'abcde', 4, 'abcd'],
    ['characters of two units', '🙂🙂🙂', 2, '🙂🙂'],
    ['as many characters of two units as fit', '🙂🙂🙂', 3, '🙂🙂🙂'],
    ['a character of several code points at the end', `ab${family}`, 4, 'ab'],
    ['such a character that fits', `ab${family}`, 9, `ab${family}`],
    ['a letter and its accent', `abc${accented}`, 4, 'abc'],
    ['a line break of two', 'abc\r\nd', 4, 'abc'],
    ['nothing but a long character', family, 3, '👨‍👩'],
    ['marks without end', `e${'\u0301'.repeat(200)}`, 100, `e${'\u0301'.repeat(99)}`],
  ])('keeps %s', (_, text, max, kept) => {
    expect(cutText(text, max)).toBe(kept);
  });

  it('keeps the beginning of any text, in whole characters, within the limit', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.nat({ max: 20 }), (text, max) => {
        const kept = cutText(text, max);
        expect(text.startsWith(kept)).toBe(true);
        expect(countCharacters(kept)).toBeLessThanOrEqual(max);
        expect(kept).toBe(kept.replace(/\p{Cs}/gu, ''));
      }),
    );
  });

  const instructionsOf = (content: string) => importedA({}, { messages: [{ role: 'system', content }] });

  it('keeps 4,096 characters of the instructions, however many units they have', () => {
    expect(instructionsOf('🙂'.repeat(5000)).agent.instructions).toBe('🙂'.repeat(4096));
    expect(instructionsOf('🙂'.repeat(4096)).notes).toEqual([]);
  });

  it('reports the number of kept characters if the last one would be cut in half', () => {
    const found = instructionsOf(`${'x'.repeat(4094)}${family}`);
    expect(found.agent.instructions).toBe('x'.repeat(4094));
    expect(notesOf(found)).toEqual(['warning: The instructions had 4,101 characters: the first 4,094 are kept.']);
  });

  it('counts the instructions after their variables are read and their messages are joined', () => {
    const messages = ['{{x}}'.repeat(1000), 'y'.repeat(2000)].map(content => ({ role: 'system', content }));
    const { instructions } = importedA({}, { messages }).agent;
    expect(instructions).toBe(`${'{x}'.repeat(1000)}\n\n${'y'.repeat(1094)}`);
  });
});

describe('text that can be stored', () => {
  it.each([
    ['line breaks and tabs', 'a\tb\nc', 'a\tb\nc'],
    ['line breaks of other systems', 'a\r\nb\rc', 'a\nb\nc'],
    ['no other control characters', 'a\u0000b\u001bc\u0085d', 'abcd'],
    ['no half characters', 'a\ud83db', 'a\ufffdb'],
    ['whole ones', 'a🙂b', 'a🙂b'],
  ])('has %s', (_, text, kept) => {
    expect(storableText(text)).toBe(kept);
  });
});
