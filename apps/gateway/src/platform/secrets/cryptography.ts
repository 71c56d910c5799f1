import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';

export type HashUse =
  | 'api-key-hash'
  | 'secure-code-hash'
  | 'idempotency-fingerprint'
  | 'dashboard-session-hash'
  | 'dashboard-csrf-token'
  | 'sign-in-subject-hash'
  | 'recovery-code-hash'
  | 'known-device-hash'
  | 'password-reset-hash'
  | 'invitation-hash'
  | 'setup-code-hash'
  | 'stream-key-hash';
export type EncryptionUse = 'signing-key-encryption' | 'stored-secret-encryption';

/** Derives a key for each use from the one secret key (HKDF, RFC 5869). No derived key reveals another one. */
export function deriveKey(secretKey: Buffer, use: HashUse | EncryptionUse | 'key-id'): Buffer {
  return Buffer.from(hkdfSync('sha256', secretKey, Buffer.alloc(0), `rtms:${use}`, 32));
}

/** HMAC-SHA256. Without the key, nobody can search a stolen table for known or short values. */
export function keyedHash(key: Buffer, value: string): Buffer {
  return createHmac('sha256', key).update(value, 'utf8').digest();
}

/** Compares in constant time. */
export function sameHash(one: Buffer, other: Buffer): boolean {
  return one.length === other.length && timingSafeEqual(one, other);
}

const ivBytes = 12;
const tagBytes = 16;

/** AES-256-GCM as `iv | tag | ciphertext`. A ciphertext opens with the same `context` only, so it cannot be moved to another row. */
export function encrypt(key: Buffer, plaintext: string, context: string): Buffer {
  const iv = randomBytes(ivBytes);
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(context));
  const ciphertext = Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), ciphertext]);
}

/** Throws for another key, for another context and for a changed ciphertext. */
export function decrypt(key: Buffer, sealed: Buffer, context: string): string {
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, ivBytes), { authTagLength: tagBytes });
  decipher.setAAD(Buffer.from(context)).setAuthTag(sealed.subarray(ivBytes, ivBytes + tagBytes));
  return decipher.update(sealed.subarray(ivBytes + tagBytes), undefined, 'utf8') + decipher.final('utf8');
}
