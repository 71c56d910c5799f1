import { Inject, Injectable } from '@nestjs/common';
import { GATEWAY_CONFIG, type GatewayConfig } from '../../gateway.config.js';
import { deriveKey, type EncryptionUse } from './derive-key.js';
import { decrypt, encrypt } from './encryption.js';
import { sealContext, type SealedColumn } from './sealed-columns.js';

/** First byte of what is sealed here. */
const format = 1;
const keyIDBytes = 8;

/** Format and key id: by it a sealed text says under which secret key it was sealed. */
export const sealPrefixBytes = 1 + keyIDBytes;

export type SecretKeys = Pick<GatewayConfig, 'secretKey' | 'previousSecretKeys'>;

class RingKey {
  readonly prefix: Buffer;
  private readonly derived = new Map<EncryptionUse, Buffer>();

  constructor(private readonly secretKey: Buffer) {
    this.prefix = Buffer.concat([Buffer.of(format), deriveKey(secretKey, 'key-id').subarray(0, keyIDBytes)]);
  }

  /** Derived once. */
  keyOf(use: EncryptionUse): Buffer {
    const key = this.derived.get(use) ?? deriveKey(this.secretKey, use);
    this.derived.set(use, key);
    return key;
  }

  sealed(sealed: Buffer): boolean {
    return sealed.subarray(0, sealPrefixBytes).equals(this.prefix);
  }
}

/**
 * Encrypts what must be read again, as `format | key id | iv | tag | ciphertext`. It seals under the current secret
 * key and opens what was sealed under that or one of the previous ones.
 */
@Injectable()
export class SecretVault {
  private readonly current: RingKey;
  private readonly ring: readonly RingKey[];

  constructor(@Inject(GATEWAY_CONFIG) { secretKey, previousSecretKeys = [] }: SecretKeys) {
    this.current = new RingKey(secretKey);
    this.ring = [this.current, ...previousSecretKeys.map(key => new RingKey(key))];
  }

  /** What everything begins with that is sealed under the current key. */
  get currentPrefix(): Buffer {
    return this.current.prefix;
  }

  seal(column: SealedColumn, id: string, plaintext: string): Buffer {
    const sealed = encrypt(this.current.keyOf(column.use), plaintext, sealContext(column, id));
    return Buffer.concat([this.current.prefix, sealed]);
  }

  /** Throws when none of the keys fits, when it was sealed for another place, or when a bit has changed. */
  open(column: SealedColumn, id: string, sealed: Buffer): string {
    const context = sealContext(column, id);
    const key = this.ring.find(each => each.sealed(sealed));
    if (key) return decrypt(key.keyOf(column.use), sealed.subarray(sealPrefixBytes), context);
    return this.openUnmarked(column.use, context, sealed);
  }

  /** Signing keys were once stored without a key id. */
  private openUnmarked(use: EncryptionUse, context: string, sealed: Buffer): string {
    for (const key of this.ring) {
      try {
        return decrypt(key.keyOf(use), sealed, context);
      } catch {
        // Sealed under another key: the next one may fit.
      }
    }
    throw new Error('A stored secret opens under none of RTMS_SECRET_KEY and RTMS_PREVIOUS_SECRET_KEYS.');
  }
}
