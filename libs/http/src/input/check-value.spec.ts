import { z } from 'zod';
import { checkValue } from './check-value.js';

const schema = z.object({ name: z.string().max(5).optional(), list: z.array(z.string().min(1)).max(2).optional() });
const depth = 100_000;

describe('checkValue', () => {
  it('answers as the schema does', () => {
    expect(checkValue(schema, { name: 'a' })).toEqual({ success: true, data: { name: 'a' } });
    expect(checkValue(schema, { name: 'too long' }).error?.issues[0]).toMatchObject({
      code: 'too_big',
      path: ['name'],
    });
    expect(checkValue(schema, { name: { length: 'x' } }).error?.issues[0]).toMatchObject({ code: 'invalid_type' });
  });

  it.each([
    ['a text', '{"name":{"length":{"toString":""}}}'],
    ['a text in a list', '{"list":[{"length":{"valueOf":1,"toString":1}}]}'],
    ['a list', '{"list":{"length":{"toString":null}}}'],
    ['a text, with deep lists', `{"name":{"length":${'['.repeat(depth)}${']'.repeat(depth)}}}`],
  ])('refuses an object whose length is no number in place of %s', (_what, text) => {
    const value: unknown = JSON.parse(text);
    expect(() => schema.safeParse(value)).toThrow();
    expect(checkValue(schema, value)).toMatchObject({
      success: false,
      error: { issues: [{ message: 'must have no object with a field "length" where a text or a list belongs.' }] },
    });
  });

  it('hides no fault of the schema', () => {
    const broken = z.unknown().refine(() => {
      throw new TypeError('a fault of the schema');
    });
    expect(() => checkValue(broken, { length: 1, inner: [{}] })).toThrow('a fault of the schema');
  });
});
