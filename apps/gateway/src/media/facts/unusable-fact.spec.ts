import { QueryFailedError, UpdateValuesMissingError } from 'typeorm';
import { isOwnFault, isRefused } from './unusable-fact.js';

const sqlError = (code: string) => new QueryFailedError('UPDATE', [], Object.assign(new Error('failed'), { code }));
const coded = (code: string) => Object.assign(new Error('failed'), { code });

describe('isRefused', () => {
  it.each([
    { name: 'a refused value, for the third time', error: sqlError('22P02'), deliveries: 3, expected: true },
    { name: 'a broken constraint', error: sqlError('23514'), deliveries: 9, expected: true },
    { name: 'a refused value that may be chance', error: sqlError('22P02'), deliveries: 2, expected: false },
    { name: 'a database that shuts down', error: sqlError('57P01'), deliveries: 50, expected: false },
    { name: 'a deadlock', error: sqlError('40P01'), deliveries: 50, expected: false },
    { name: 'a lost connection', error: new Error('Connection terminated'), deliveries: 50, expected: false },
    { name: 'a fault in the gateway', error: new TypeError('x is undefined'), deliveries: 50, expected: false },
  ])('returns $expected for $name', ({ error, deliveries, expected }) => {
    expect(isRefused(error, deliveries)).toBe(expected);
  });
});

describe('isOwnFault', () => {
  it.each([
    { name: 'a TypeError, for the fifth time', error: new TypeError('x is undefined'), deliveries: 5, expected: true },
    { name: 'an update without columns', error: new UpdateValuesMissingError(), deliveries: 5, expected: true },
    { name: 'a TypeError that may be chance', error: new TypeError('x is undefined'), deliveries: 4, expected: false },
    { name: 'a refused value', error: sqlError('22P02'), deliveries: 50, expected: false },
    { name: 'a read-only standby', error: sqlError('25006'), deliveries: 50, expected: false },
    { name: 'a wrong password', error: coded('28P01'), deliveries: 50, expected: false },
    { name: 'a refused connection', error: coded('ECONNREFUSED'), deliveries: 50, expected: false },
    { name: 'a lost connection', error: new Error('Connection terminated'), deliveries: 50, expected: false },
    { name: 'a slow database', error: new Error('Query read timeout'), deliveries: 50, expected: false },
  ])('returns $expected for $name', ({ error, deliveries, expected }) => {
    expect(isOwnFault(error, deliveries)).toBe(expected);
  });
});
