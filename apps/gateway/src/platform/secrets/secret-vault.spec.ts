import { randomBytes } from 'node:crypto';
import { deriveKey, encrypt } from './cryptography.js';
import { sealedColumns } from './sealed-columns.js';
import { SecretVault } from './secret-vault.js';

const [older, old, current] = [randomBytes(32), randomBytes(32), randomBytes(32)];
const { hashRoot, signingKey } = sealedColumns;
const vault = (secretKey: Buffer, ...previousSecretKeys: Buffer[]) =>
  new SecretVault({ secretKey, previousSecretKeys });

describe('the vault of secrets', () => {
  it('opens a sealed text', () => {
    expect(vault(current).open(hashRoot, 'a', vault(current).seal(hashRoot, 'a', 'a secret ☂'))).toBe('a secret ☂');
  });

  it.each([
    ['the first previous key', old],
    ['the last previous key', older],
  ])('opens a text that was sealed under %s', (_, key) => {
    const sealed = vault(key).seal(hashRoot, 'a', 'a secret');
    expect(vault(current, old, older).open(hashRoot, 'a', sealed)).toBe('a secret');
  });

  it('seals under the current key', () => {
    const ring = vault(current, old);
    const sealed = ring.seal(hashRoot, 'a', 'a secret');
    expect(sealed.subarray(0, ring.currentPrefix.length)).toEqual(ring.currentPrefix);
    expect(vault(current).open(hashRoot, 'a', sealed)).toBe('a secret');
  });

  it('does not open for another row or column', () => {
    const sealed = vault(current).seal(hashRoot, 'a', 'a secret');
    expect(() => vault(current).open(hashRoot, 'b', sealed)).toThrow();
    expect(() => vault(current).open(signingKey, 'a', sealed)).toThrow();
  });

  it('names the settings without a matching key', () => {
    const sealed = vault(older).seal(hashRoot, 'a', 'a secret');
    expect(() => vault(current, old).open(hashRoot, 'a', sealed)).toThrow(/RTMS_PREVIOUS_SECRET_KEYS/);
  });

  it('opens signing keys that were stored without a key id', () => {
    const sealed = encrypt(deriveKey(old, 'signing-key-encryption'), 'a private half', 'kid');
    expect(vault(current, old).open(signingKey, 'kid', sealed)).toBe('a private half');
  });

  it('marks a text without a part of the key', () => {
    const sealed = vault(current).seal(hashRoot, 'a', 'a secret');
    expect(sealed.includes(current.subarray(0, 4))).toBe(false);
    expect(sealed.includes('a secret')).toBe(false);
  });
});
