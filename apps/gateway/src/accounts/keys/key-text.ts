import { customAlphabet } from 'nanoid';
import type { KeyType } from '../../platform/auth/caller.js';

const characters = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const lastingKey = customAlphabet(characters, 64);

/** A prefix of 8 characters and 56 random ones, which are 333 random bits. */
const disposablePrefixes = { sandbox: 'tempsand', production: 'tempprod' } as const satisfies Record<KeyType, string>;
const randomPart = customAlphabet(characters, 56);

export function newDisposableKey(type: KeyType): string {
  return `${disposablePrefixes[type]}${randomPart()}`;
}

export function isDisposableKey(apiKey: string): boolean {
  return Object.values(disposablePrefixes).some(prefix => apiKey.startsWith(prefix));
}

/** A main or sub-user key. It never begins like a disposable key. */
export function newLastingKey(): string {
  const key = lastingKey();
  return isDisposableKey(key) ? newLastingKey() : key;
}
