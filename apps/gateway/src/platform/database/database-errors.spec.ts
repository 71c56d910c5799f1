import { QueryFailedError } from 'typeorm';
import { isDatabaseUnavailable, isLockTimeout, isUniqueViolation } from './database-errors.js';

const withCode = (code: string, message = 'x') => Object.assign(new Error(message), { code });

describe('errors of the database', () => {
  it.each<[string, unknown, boolean]>([
    ['a refused connection', withCode('ECONNREFUSED'), true],
    ['both addresses refused', new AggregateError([withCode('ECONNREFUSED'), withCode('ECONNREFUSED')]), true],
    ['a shutdown', new QueryFailedError('SELECT', [], withCode('57P01')), true],
    ['a server that is starting', withCode('57P03'), true],
    ['too many connections', withCode('53300'), true],
    ['a connection that broke', new Error('Connection terminated unexpectedly'), true],
    ['a query that hangs', new QueryFailedError('SELECT', [], new Error('Query read timeout')), true],
    ['a column with another type', Object.assign(withCode('0A000'), { routine: 'RevalidateCachedQuery' }), true],
    ['a feature that PostgreSQL lacks', Object.assign(withCode('0A000'), { routine: 'ExecInitExpr' }), false],
    ['a pool that waits too long', new Error('timeout exceeded when trying to connect'), true],
    ['a syntax error', new QueryFailedError('SELEC', [], withCode('42601')), false],
    ['a unique index', new QueryFailedError('INSERT', [], withCode('23505')), false],
    ['any other mistake', new Error('x is undefined'), false],
    ['a value that is no error', 'ECONNREFUSED', false],
  ])('recognises %s', (_, error, expected) => {
    expect(isDatabaseUnavailable(error)).toBe(expected);
  });

  it('recognises a lock that a statement has waited for too long', () => {
    expect(isLockTimeout(new QueryFailedError('INSERT', [], withCode('55P03')))).toBe(true);
    expect(isLockTimeout(new QueryFailedError('INSERT', [], withCode('25P02')))).toBe(false);
  });

  it('recognises the violated index', () => {
    const driverError = Object.assign(withCode('23505'), { constraint: 'rooms_active_name' });
    const error = new QueryFailedError('INSERT', [], driverError);
    expect(isUniqueViolation(error, 'rooms_active_name')).toBe(true);
    expect(isUniqueViolation(error, 'another')).toBe(false);
    expect(isUniqueViolation(driverError, 'rooms_active_name')).toBe(false);
  });
});
