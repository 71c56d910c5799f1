import { createHmac, timingSafeEqual } from 'node:crypto';

/** HMAC-SHA256: without the key, a stolen table cannot be searched for known or short values. */
export function keyedHash(key: Buffer, value: string): Buffer {
  return createHmac('sha256', key).update(value, 'utf8').digest();
}

/** Takes the same time wherever two values first differ. */
export function sameHash(one: Buffer, other: Buffer): boolean {
  return one.length === other.length && timingSafeEqual(one, other);
}
