import { hkdfSync } from 'node:crypto';

export type HashUse =
  | 'api-key-hash'
  | 'secure-code-hash'
  | 'idempotency-fingerprint'
  | 'dashboard-session-hash'
  | 'dashboard-csrf-token'
  | 'sign-in-subject-hash'
  | 'recovery-code-hash'
  | 'known-device-hash'
  | 'password-reset-hash';
export type EncryptionUse = 'signing-key-encryption' | 'stored-secret-encryption';

/** One secret from the environment, one derived key for each use (HKDF, RFC 5869): none can be turned into another. */
export function deriveKey(secretKey: Buffer, use: HashUse | EncryptionUse | 'key-id'): Buffer {
  return Buffer.from(hkdfSync('sha256', secretKey, Buffer.alloc(0), `rtms:${use}`, 32));
}
