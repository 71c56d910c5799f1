import fc from 'fast-check';
import { readBearer, readCredential } from './read-credential.js';

const key = 'k'.repeat(64);

describe('the credential of a request', () => {
  it.each([`Bearer account1:${key}`, `bearer account1:${key}`, `Bearer  account1:${key}`])('is found in %s', header => {
    expect(readCredential(header)).toEqual({ apiUserName: 'account1', apiKey: key });
  });

  it.each([
    undefined,
    '',
    'Bearer',
    `Bearer ${key}`,
    `Bearer :${key}`,
    'Bearer account1:',
    `Bearer short:${key}`,
    `Basic account1:${key}`,
    `Bearer account1:${key}x`,
    `Bearer account1:${key} x`,
    `Bearer account1:${'k'.repeat(63)}-`,
    `Bearer account1:x:${key}`,
    `Bearer account1:${key}\n`,
  ])('is missing in %j', header => {
    expect(readCredential(header)).toBeUndefined();
  });

  it('is found only as a whole', () => {
    fc.assert(
      fc.property(fc.string(), text => {
        const read = readCredential(`Bearer ${text}`);
        return read === undefined || text.trimStart() === `${read.apiUserName}:${read.apiKey}`;
      }),
    );
  });

  it('reads the administrator’s token as a whole', () => {
    expect(readBearer('Bearer secret-token')).toBe('secret-token');
    expect(readBearer('Bearer secret token')).toBeUndefined();
  });
});
