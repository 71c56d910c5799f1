import fc from 'fast-check';
import { parseQuery } from './query-parser.js';

describe('a query', () => {
  it.each<[string, object]>([
    ['', {}],
    ['action=get&pageSize=5', { action: 'get', pageSize: '5' }],
    ['a=1&a=2', { a: ['1', '2'] }],
    ['a[b]=1', { a: ['1'], 'a[b]': '1' }],
    ['a[]=1&a[]=2', { a: ['1', '2'], 'a[]': ['1', '2'] }],
    ['a=1&a%5Bb%5D%5Bc%5D=2', { a: ['1', '2'], 'a[b][c]': '2' }],
    ['[a]=1', { '[a]': '1' }],
  ])('%j', (text, expected) => {
    expect({ ...parseQuery(text) }).toEqual(expected);
  });

  it('of any text is read without an error, and reaches no prototype', () => {
    fc.assert(
      fc.property(fc.string(), text => {
        parseQuery(`${text}&__proto__[polluted]=1&constructor[prototype][polluted]=1`);
        expect({}).not.toHaveProperty('polluted');
      }),
    );
  });
});
