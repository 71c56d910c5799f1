import { randomBytes } from 'node:crypto';
import { decrypt, encrypt } from './cryptography.js';

const key = randomBytes(32);

describe('encryption at rest', () => {
  it('decrypts an encrypted text', () => {
    expect(decrypt(key, encrypt(key, 'a secret ☂', 'key-1'), 'key-1')).toBe('a secret ☂');
  });

  it('never produces the same ciphertext twice', () => {
    expect(encrypt(key, 'same', 'key-1').equals(encrypt(key, 'same', 'key-1'))).toBe(false);
  });

  it('refuses another key', () => {
    expect(() => decrypt(randomBytes(32), encrypt(key, 'a', 'key-1'), 'key-1')).toThrow();
  });

  it('refuses another context', () => {
    expect(() => decrypt(key, encrypt(key, 'a', 'key-1'), 'key-2')).toThrow();
  });

  it('refuses a changed bit', () => {
    const sealed = encrypt(key, 'a', 'key-1');
    sealed.writeUInt8(sealed.readUInt8(sealed.length - 1) ^ 1, sealed.length - 1);
    expect(() => decrypt(key, sealed, 'key-1')).toThrow();
  });
});
