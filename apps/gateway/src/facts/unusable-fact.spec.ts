import { QueryFailedError } from 'typeorm';
import { isUnusable } from './unusable-fact.js';

const sqlError = (code: string) => new QueryFailedError('UPDATE', [], Object.assign(new Error('failed'), { code }));

describe('isUnusable', () => {
  it.each([
    { name: 'a refused value, for the third time', error: sqlError('22P02'), deliveries: 3, expected: true },
    { name: 'a broken constraint', error: sqlError('23514'), deliveries: 9, expected: true },
    { name: 'a refused value that may be chance', error: sqlError('22P02'), deliveries: 2, expected: false },
    { name: 'a database that shuts down', error: sqlError('57P01'), deliveries: 50, expected: false },
    { name: 'a deadlock', error: sqlError('40P01'), deliveries: 50, expected: false },
    { name: 'a lost connection', error: new Error('Connection terminated'), deliveries: 50, expected: false },
  ])('says $expected of $name', ({ error, deliveries, expected }) => {
    expect(isUnusable(error, deliveries)).toBe(expected);
  });
});
