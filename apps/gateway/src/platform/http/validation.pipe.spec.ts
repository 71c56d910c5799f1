import type { ServiceError } from '@rtms/contracts';
import { z } from 'zod';
import { Dto, optional } from './dto.js';
import { text, whole } from './fields.js';
import { DtoValidationPipe } from './validation.pipe.js';

const inner = z.strictObject({ label: text(1, 5) }, { error: 'must be an object.' });

class OuterDto extends Dto({ count: whole(0, 9), ...optional({ inner }) }) {}

const pipe = new DtoValidationPipe();
const read = (value: unknown, type: 'body' | 'query' = 'body') => pipe.transform(value, { type, metatype: OuterDto });
const failureOf = (value: unknown) =>
  read(value).then(
    () => undefined,
    (error: unknown) => error as ServiceError,
  );

describe('the validation of bodies and queries', () => {
  it('returns an instance of the class', async () => {
    await expect(read({ count: 1, inner: { label: 'a' } })).resolves.toBeInstanceOf(OuterDto);
  });

  it('converts no value', async () => {
    expect(await failureOf({ count: '1' })).toMatchObject({
      reason: 'invalid_request',
      message: 'count must be a whole number from 0 to 9.',
    });
  });

  it('names each mistake once, with the message of the field', async () => {
    const failure = await failureOf({ count: 'x', inner: { label: '' } });
    expect(failure?.message).toBe('count must be a whole number from 0 to 9. label must be text of 1 to 5 characters.');
  });

  it.each([
    [{ count: 1, extra: 1 }, 'Unknown field: extra.'],
    [{ count: 1, a: 1, b: 2 }, 'Unknown fields: a, b.'],
    [{ count: 1, inner: { label: 'a', deep: 1 } }, 'Unknown field: deep.'],
    [{ count: 1, constructor: 1 }, 'Unknown field: constructor.'],
    [{ count: 1, inner: { label: 'a', constructor: { label: 'b' } } }, 'Unknown field: constructor.'],
    [{ count: 1, toString: 1, hasOwnProperty: 1 }, 'Unknown fields: toString, hasOwnProperty.'],
  ])('names the unknown fields of %j', async (body, message) => {
    expect(await failureOf(body)).toMatchObject({ reason: 'unknown_field', message });
  });

  it.each([
    { count: 1, inner: 'x' },
    { count: 1, inner: [[]] },
    { count: 1, inner: [{ constructor: 1 }] },
    { count: { constructor: 'x' } },
    { count: [{ constructor: { name: 'x' } }] },
    { count: 1, inner: 7 },
  ])('refuses %j without internal words', async body => {
    const failure = await failureOf(body);
    expect(failure?.reason).toBe('invalid_request');
    expect(failure?.message).toMatch(/^[A-Za-z ]+must be/);
  });

  it('shortens long names of a hostile body', async () => {
    const names = Array.from({ length: 50 }, (_, index) => [`${'x'.repeat(500)}${index}`, 1]);
    const failure = await failureOf({ count: 1, ...Object.fromEntries(names) });
    expect(failure?.message.length).toBeLessThan(500);
  });

  it('ignores unknown parameters of a query', async () => {
    expect(await read({ count: 1, utm_source: 'x' }, 'query')).toEqual({ count: 1 });
  });
});
