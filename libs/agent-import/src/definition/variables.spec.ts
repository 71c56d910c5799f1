import { placeOf } from '../testing/definitions.js';
import { defaultsOf, readVariables } from './variables.js';

const read = (text: string, max = 1000, known: Record<string, string> = {}) => {
  const { filled, expressions, ...rest } = readVariables(text, max, new Map(Object.entries(known)));
  return { ...rest, filled: [...filled], expressions: [...expressions] };
};

describe('variables in a text', () => {
  it.each([
    ['Hi {{ name }}!', 'Hi {name}!', []],
    ['{{{name}}}', '{name}', []],
    ['{{a.b}} {{R&D line}} {{time_America/New_York}}', '{a.b} {R&D line} {time_America/New_York}', []],
    ['{{ "now" | date }} {% if x %}', '{{ "now" | date }} {% if x %}', ['{{ "now" | date }}', '{% if x %}']],
    ['{{f(x)}} {{f(x)}}', '{{f(x)}} {{f(x)}}', ['{{f(x)}}']],
    ['{{}} {{ - }}', '{{}} {{ - }}', ['{{}}', '{{ - }}']],
    ['{{open', '{{open', []],
    ['no variables', 'no variables', []],
  ])('are read: %s', (text, result, expressions) => {
    expect(read(text)).toEqual({ text: result, characters: result.length, filled: [], expressions });
  });

  it('are filled in with their defaults', () => {
    expect(read('{{a}} {{b}} {{a}}', 1000, { a: '🙂' })).toEqual({
      text: '🙂 {b} 🙂',
      characters: 7,
      filled: ['a'],
      expressions: [],
    });
  });

  it('are built up to the bound and counted beyond it', () => {
    const { text, characters } = read('{{a}}{{a}}{{a}}-', 5, { a: '🙂🙂🙂🙂' });
    expect(characters).toBe(13);
    expect(text).toMatch(/^🙂{5}/u);
    expect(text.length).toBeLessThan(20);
  });

  it('are filled in to the last character of the bound', () => {
    expect(read('{{a}}bc', 4, { a: 'xy' }).text).toBe('xybc');
  });

  it('have defaults that are texts, numbers and switches', () => {
    const known = { a: ' x {{y}} ', b: 7, c: false, d: null, e: {}, api_key: 'hunter2', f: '' };
    const place = placeOf(known);
    expect([...defaultsOf(place)]).toEqual([
      ['a', 'x {y}'],
      ['b', '7'],
      ['c', 'false'],
      ['f', ''],
    ]);
    expect(defaultsOf(undefined).size).toBe(0);
  });
});
