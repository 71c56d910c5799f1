import fc from 'fast-check';
import { refused } from './testing/definitions.js';

describe('text that is not JSON', () => {
  it.each<[string, string, number, number, string]>([
    ['a comma after the last field', '{\n  "name": "A",\n}', 3, 1, 'no comma stands after the last field'],
    ['a comma after the last item', '["a",\r\n "b", ]', 2, 7, 'no comma stands after the last one'],
    ['no comma', '{"a": 1\n "b": 2}', 2, 2, 'a comma is missing'],
    ['no colon', '{"a" 1}', 1, 6, 'a colon is missing'],
    ['names without quotes', '{name: "A"}', 1, 2, 'stand in double quotes'],
    ['single quotes', "{'name': 1}", 1, 2, 'stand in double quotes'],
    ['a word', '{"a": None}', 1, 7, 'no value that JSON knows'],
    ['a comment', '{\r  // note\r  "a": 1}', 2, 3, 'JSON has no comments'],
    ['a line break in a text', '{"a": "one\ntwo"}', 1, 7, 'written \\n'],
    ['a tab in a text', '{"a": "one\ttwo"}', 1, 7, 'written \\t'],
    ['a wrong escape', '{"a": "\\x"}', 1, 7, 'a backslash'],
    ['half an escape', '{"a": "\\u12"}', 1, 7, 'four digits'],
    ['half a number', '[1.]', 1, 2, 'not complete'],
    ['an end too soon', '{"a": [1, 2', 1, 12, 'a closing bracket is missing'],
    ['a brace too few', '{"a": 1', 1, 8, 'a closing brace is missing'],
    ['more after the end', '{}\n{}', 2, 1, 'more after the end'],
    ['characters of two units', '["🙂🙂" 1]', 1, 7, 'a comma is missing'],
  ])('tells where %s stands', (_, text, line, column, meaning) => {
    const message = expect.stringContaining(`The text is not JSON: line ${line}, column ${column}: `);
    expect(refused(text)).toEqual({ code: 'not_json', line, column, message });
    expect(refused(text).message).toContain(meaning);
  });

  it('is told without a place when its brackets go too deep', () => {
    expect(refused('['.repeat(400_000))).toEqual({ code: 'not_json', message: 'The text is not JSON.' });
  });

  it('never has its words in the message', () => {
    expect(refused('{"apiKey": hush-hush}').message).not.toContain('hush');
  });

  it.each(['', ' \n\t', '\uFEFF'])('is nothing at all: %j', text => {
    expect(refused(text).code).toBe('empty');
  });

  it('is not looked at when it is too long', () => {
    expect(refused(`"${'x'.repeat(500_000)}"`)).toMatchObject({ code: 'too_large' });
  });

  it('has its place within the text, whatever it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'{}[]",:1a\n \\/') }), text => {
        const { code, line, column } = refused(text);
        if (code !== 'not_json') return;
        const lines = text.split('\n');
        expect(line).toBeLessThanOrEqual(lines.length);
        expect(column).toBeLessThanOrEqual(lines[line! - 1]!.length + 1);
      }),
    );
  });
});
