import { customAlphabet } from 'nanoid';
import type { KeyType } from '../../platform/auth/caller.js';

const characters = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const lastingKey = customAlphabet(characters, 64);

/** The prefix has 8 characters. The other 56 characters are 333 random bits. */
const disposablePrefixes = { sandbox: 'tempsand', production: 'tempprod' } as const satisfies Record<KeyType, string>;
const randomPart = customAlphabet(characters, 56);

export function newDisposableKey(type: KeyType): string {
  return `${disposablePrefixes[type]}${randomPart()}`;
}

export function isDisposableKey(apiKey: string): boolean {
  return Object.values(disposablePrefixes).some(prefix => apiKey.startsWith(prefix));
}

/** Returns a new key of an account or a sub-user. It never begins like a disposable key. */
export function newLastingKey(): string {
  const key = lastingKey();
  return isDisposableKey(key) ? newLastingKey() : key;
}
