import fc from 'fast-check';
import { describeFinding } from '../findings/finding-texts.js';
import { refused } from '../testing/definitions.js';

describe('text that is not JSON', () => {
  it.each<[string, string, number, number, string]>([
    ['a comma after the last field', '{\n  "name": "A",\n}', 3, 1, 'JSON has no comma after the last field'],
    ['a comma after the last item', '["a",\r\n "b", ]', 2, 7, 'JSON has no comma after the last value'],
    ['no comma', '{"a": 1\n "b": 2}', 2, 2, 'a comma is missing'],
    ['no colon', '{"a" 1}', 1, 6, 'a colon is missing'],
    ['names without quotes', '{name: "A"}', 1, 2, 'need double quotes'],
    ['single quotes', "{'name': 1}", 1, 2, 'need double quotes'],
    ['a word', '{"a": None}', 1, 7, 'not a JSON value'],
    ['a comment', '{\r  // note\r  "a": 1}', 2, 3, 'JSON has no comments'],
    ['a line break in a text', '{"a": "one\ntwo"}', 1, 7, 'as \\n'],
    ['a tab in a text', '{"a": "one\ttwo"}', 1, 7, 'as \\t'],
    ['a wrong escape', '{"a": "\\x"}', 1, 7, 'a backslash'],
    ['half an escape', '{"a": "\\u12"}', 1, 7, 'four digits'],
    ['half a number', '[1.]', 1, 2, 'not complete'],
    ['an end too soon', '{"a": [1, 2', 1, 12, 'a closing bracket is missing'],
    ['a brace too few', '{"a": 1', 1, 8, 'a closing brace is missing'],
    ['more after the end', '{}\n{}', 2, 1, 'more after the end'],
    ['characters of two units', '["🙂🙂" 1]', 1, 7, 'a comma is missing'],
  ])('reports the place of %s', (_, text, line, column, meaning) => {
    const failure = refused(text);
    expect(failure).toEqual({ code: 'not_json', line, column, values: { reason: expect.any(String) } });
    const message = describeFinding(failure);
    expect(message).toContain(`The text is not JSON: line ${line}, column ${column}: `);
    expect(message).toContain(meaning);
  });

  it('is reported without a place if its brackets are nested too deep', () => {
    const failure = refused('['.repeat(400_000));
    expect(failure).toEqual({ code: 'not_json', values: { reason: '' } });
    expect(describeFinding(failure)).toBe('The text is not JSON.');
  });

  it('is never repeated in the message', () => {
    expect(describeFinding(refused('{"apiKey": hush-hush}'))).not.toContain('hush');
  });

  it.each(['', ' \n\t', '\uFEFF'])('is refused as empty: %j', text => {
    expect(refused(text).code).toBe('empty');
  });

  it('is refused without parsing if it is too long', () => {
    const failure = refused(`"${'x'.repeat(499_999)}"`);
    expect(failure).toEqual({ code: 'too_large', values: { limit: 500_000 } });
    expect(describeFinding(failure)).toContain('at most 500,000 characters. Paste one agent alone.');
    expect(refused(`"${'x'.repeat(499_998)}"`).code).toBe('unknown_format');
  });

  it.each([
    ['objects', '{"a":', '}'],
    ['lists', '[', ']'],
  ])('is refused if %s are nested deeper than 64 levels', (_, open, close) => {
    const nested = (levels: number) => refused(`${open.repeat(levels)}1${close.repeat(levels)}`);
    expect(nested(64).code).toBe('unknown_format');
    expect(nested(65)).toEqual({ code: 'too_deep', values: { limit: 64 } });
    expect(describeFinding(nested(65))).toContain('at most 64 levels. Remove the innermost');
  });

  it('has a place within any text', () => {
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
