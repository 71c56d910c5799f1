import fc from 'fast-check';
import { canonicalJSON } from './idempotency.interceptor.js';

describe('canonical JSON', () => {
  it('does not depend on the order of fields', () => {
    expect(canonicalJSON({ b: 1, a: { d: 2, c: [3, { f: 4, e: 5 }] } })).toBe(
      '{"a":{"c":[3,{"e":5,"f":4}],"d":2},"b":1}',
    );
  });

  it('keeps every value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), value => {
        expect(JSON.parse(canonicalJSON(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  it('keeps a field named __proto__', () => {
    expect(canonicalJSON(JSON.parse('{"__proto__":{"x":1}}'))).toBe('{"__proto__":{"x":1}}');
  });
});
