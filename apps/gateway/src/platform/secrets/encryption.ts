import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const ivBytes = 12;
const tagBytes = 16;

/** AES-256-GCM as `iv | tag | ciphertext`. What `context` names is bound in: a text moved elsewhere won't open. */
export function encrypt(key: Buffer, plaintext: string, context: string): Buffer {
  const iv = randomBytes(ivBytes);
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(context));
  const ciphertext = Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), ciphertext]);
}

/** Throws when the key or the context is another one, or when a bit has changed. */
export function decrypt(key: Buffer, sealed: Buffer, context: string): string {
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, ivBytes), { authTagLength: tagBytes });
  decipher.setAAD(Buffer.from(context)).setAuthTag(sealed.subarray(ivBytes, ivBytes + tagBytes));
  return decipher.update(sealed.subarray(ivBytes + tagBytes), undefined, 'utf8') + decipher.final('utf8');
}
