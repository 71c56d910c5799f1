import { Inject, Injectable } from '@nestjs/common';
import { GATEWAY_CONFIG, type GatewayConfig } from '../../gateway.config.js';
import { decrypt, deriveKey, encrypt, type EncryptionUse } from './cryptography.js';
import { sealContext, type SealedColumn } from './sealed-columns.js';

/** First byte of a sealed text. */
const format = 1;
const keyIDBytes = 8;

/** A sealed text begins with its format and the id of its secret key. */
export const sealPrefixBytes = 1 + keyIDBytes;

export type SecretKeys = Pick<GatewayConfig, 'secretKey' | 'previousSecretKeys'>;

class RingKey {
  readonly prefix: Buffer;
  private readonly derived = new Map<EncryptionUse, Buffer>();

  constructor(private readonly secretKey: Buffer) {
    this.prefix = Buffer.concat([Buffer.of(format), deriveKey(secretKey, 'key-id').subarray(0, keyIDBytes)]);
  }

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
 * Encrypts stored secrets that must be read again, as `format | key id | iv | tag | ciphertext`. Seals under the current secret key;
 * opens texts of the current key and of the previous keys.
 */
@Injectable()
export class SecretVault {
  private readonly current: RingKey;
  private readonly ring: readonly RingKey[];

  constructor(@Inject(GATEWAY_CONFIG) { secretKey, previousSecretKeys = [] }: SecretKeys) {
    this.current = new RingKey(secretKey);
    this.ring = [this.current, ...previousSecretKeys.map(key => new RingKey(key))];
  }

  /** The first bytes of each text that is sealed under the current key. */
  get currentPrefix(): Buffer {
    return this.current.prefix;
  }

  seal(column: SealedColumn, id: string, plaintext: string): Buffer {
    const sealed = encrypt(this.current.keyOf(column.use), plaintext, sealContext(column, id));
    return Buffer.concat([this.current.prefix, sealed]);
  }

  /** Throws for a text of an unknown key, of another column or row, and for a changed text. */
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
        // Sealed under another key. The next one may open it.
      }
    }
    throw new Error('A stored secret opens under none of RTMS_SECRET_KEY and RTMS_PREVIOUS_SECRET_KEYS.');
  }
}
