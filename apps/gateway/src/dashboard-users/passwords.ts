import { hash, verify } from '@node-rs/argon2';
import { customAlphabet } from 'nanoid';

/** What OWASP recommends for Argon2id, the library's default algorithm. */
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

let absent: Promise<string> | undefined;

export function hashPassword(password: string): Promise<string> {
  return hash(password.normalize('NFC'), parameters);
}

/** `undefined`: there is no such user, which takes as long to find out as a wrong password. */
export async function isPassword(kept: string | undefined, password: string): Promise<boolean> {
  absent ??= hashPassword(randomPassword());
  const isRight = await verify(kept ?? (await absent), password.normalize('NFC'));
  return isRight && kept !== undefined;
}

/** Without letters and digits that look alike: 20 of 55 are 115 random bits. */
export const randomPassword = customAlphabet('23456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz', 20);
