import { hkdfSync } from 'node:crypto';

/** One secret from the environment, one derived key for each use (HKDF, RFC 5869): none can be turned into another. */
export function deriveKey(
  secretKey: Buffer,
  use: 'api-key-hash' | 'secure-code-hash' | 'signing-key-encryption',
): Buffer {
  return Buffer.from(hkdfSync('sha256', secretKey, Buffer.alloc(0), `rtms:${use}`, 32));
}
