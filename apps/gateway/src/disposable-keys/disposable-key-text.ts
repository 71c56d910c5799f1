import { customAlphabet } from 'nanoid';
import type { KeyType } from '../auth/caller.js';

const prefixes = { sandbox: 'tempsand', production: 'tempprod' } as const satisfies Record<KeyType, string>;

/** With a prefix these are 64 characters; 56 of 62 are 333 random bits. */
const randomPart = customAlphabet('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz', 56);

export function newDisposableKey(type: KeyType): string {
  return `${prefixes[type]}${randomPart()}`;
}

/** No lasting key begins like one. */
export function isDisposableKey(apiKey: string): boolean {
  return Object.values(prefixes).some(prefix => apiKey.startsWith(prefix));
}
