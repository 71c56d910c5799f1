import { randomBytes } from 'node:crypto';
import { decrypt, encrypt } from './cryptography.js';

const key = randomBytes(32);

describe('encryption at rest', () => {
  it('gives back what was encrypted', () => {
    expect(decrypt(key, encrypt(key, 'a secret ☂', 'key-1'), 'key-1')).toBe('a secret ☂');
  });

  it('never gives the same ciphertext twice', () => {
    expect(encrypt(key, 'same', 'key-1').equals(encrypt(key, 'same', 'key-1'))).toBe(false);
  });

  it('does not open under another key', () => {
    expect(() => decrypt(randomBytes(32), encrypt(key, 'a', 'key-1'), 'key-1')).toThrow();
  });

  it('does not open in another place', () => {
    expect(() => decrypt(key, encrypt(key, 'a', 'key-1'), 'key-2')).toThrow();
  });

  it('does not open when one bit changed', () => {
    const sealed = encrypt(key, 'a', 'key-1');
    sealed.writeUInt8(sealed.readUInt8(sealed.length - 1) ^ 1, sealed.length - 1);
    expect(() => decrypt(key, sealed, 'key-1')).toThrow();
  });
});
