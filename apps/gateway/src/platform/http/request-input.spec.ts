import { ServiceError } from '@rtms/contracts';
import fc from 'fast-check';
import { parseQuery, parseStrictJSON } from './request-input.js';

function reasonOf(text: string): string {
  try {
    parseStrictJSON(text);
    return 'accepted';
  } catch (error) {
    return error instanceof ServiceError ? error.reason : String(error);
  }
}

describe('parseStrictJSON', () => {
  it('returns the value of JSON.parse', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 5, stringUnit: 'binary' }), text => {
        fc.pre(reasonOf(text) === 'accepted');
        expect(parseStrictJSON(text)).toEqual(JSON.parse(text));
      }),
    );
  });

  it('accepts every object that has no odd names or characters', () => {
    const values = fc.jsonValue({ maxDepth: 4 });
    fc.assert(
      fc.property(values, value => {
        const text = JSON.stringify(value);
        fc.pre(!/__proto__|\\u0000|\\ud[89a-f]/i.test(text));
        expect(parseStrictJSON(text)).toEqual(JSON.parse(text));
      }),
    );
  });

  it.each([
    ['a duplicate name', '{"a":1,"a":2}', 'malformed_json'],
    ['a duplicate name, written differently', '{"a":1,"\\u0061":2}', 'malformed_json'],
    ['a duplicate name below', '{"x":[{"a":1,"b":{},"a":2}]}', 'malformed_json'],
    ['the same name in two objects', '{"a":{"a":1},"b":[{"a":1},{"a":2}]}', 'accepted'],
    ['a value that equals its name', '{"a":"a","b":"a"}', 'accepted'],
    ['punctuation inside strings', '{"a":"{\\"a\\":1,","b":"},["}', 'accepted'],
    ['a prototype', '{"__proto__":{"admin":true}}', 'unknown_field'],
    ['a prototype in disguise', '{"x":{"__pro\\u0074o__":{}}}', 'unknown_field'],
    ['a prototype’s name as a value', '{"a":"__proto__"}', 'accepted'],
    ['a NUL in a value', '{"a":"x\\u0000"}', 'malformed_json'],
    ['a NUL in a name', '{"\\u0000":1}', 'malformed_json'],
    ['half a surrogate pair', '["\\ud83d"]', 'malformed_json'],
    ['a whole surrogate pair', '["\\ud83d\\ude00"]', 'accepted'],
    ['a backslash before u0000', '["\\\\u0000"]', 'accepted'],
    ['a truncated body', '{"a":', 'malformed_json'],
    ['nothing', '', 'malformed_json'],
    ['a comment', '{/* */}', 'malformed_json'],
    ['as deep as allowed', `${'['.repeat(32)}${']'.repeat(32)}`, 'accepted'],
    ['deeper than allowed', `${'['.repeat(33)}${']'.repeat(33)}`, 'malformed_json'],
    ['hostile depth', `${'['.repeat(100_000)}${']'.repeat(100_000)}`, 'malformed_json'],
  ])('judges %s', (_, text, expected) => {
    expect(reasonOf(text)).toBe(expected);
  });

  it('changes no prototype', () => {
    expect(reasonOf('{"__proto__":{"polluted":true}}')).toBe('unknown_field');
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });
});

describe('parseQuery', () => {
  it.each<[string, object]>([
    ['', {}],
    ['action=get&pageSize=5', { action: 'get', pageSize: '5' }],
    ['a=1&a=2', { a: ['1', '2'] }],
    ['a[b]=1', { a: ['1'], 'a[b]': '1' }],
    ['a[]=1&a[]=2', { a: ['1', '2'], 'a[]': ['1', '2'] }],
    ['a=1&a%5Bb%5D%5Bc%5D=2', { a: ['1', '2'], 'a[b][c]': '2' }],
    ['[a]=1', { '[a]': '1' }],
  ])('reads %j', (text, expected) => {
    expect({ ...parseQuery(text) }).toEqual(expected);
  });

  it('reads any text without an error and changes no prototype', () => {
    fc.assert(
      fc.property(fc.string(), text => {
        parseQuery(`${text}&__proto__[polluted]=1&constructor[prototype][polluted]=1`);
        expect({}).not.toHaveProperty('polluted');
      }),
    );
  });
});
