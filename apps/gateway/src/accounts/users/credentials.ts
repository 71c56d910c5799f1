import { hash, verify } from '@node-rs/argon2';
import { customAlphabet } from 'nanoid';

/** An address has one stored form, so that two users cannot differ in letter case alone. */
export function normaliseEmail(email: string): string {
  return email.trim().normalize('NFC').toLowerCase();
}

/** Text, an at sign, a host. The gateway does not check whether the mailbox exists. */
export const emailForm = /^[^\s@]{1,64}@[^\s@.]+(?:\.[^\s@.]+)*$/;
export const maxEmailCharacters = 254;

/** The parameters that OWASP recommends for Argon2id, the library's default algorithm. */
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

let absent: Promise<string> | undefined;

export function hashPassword(password: string): Promise<string> {
  return hash(password.normalize('NFC'), parameters);
}

/** Pass `undefined` for an unknown user: the check then takes as long as for a wrong password. */
export async function isPassword(kept: string | undefined, password: string): Promise<boolean> {
  absent ??= hashPassword(randomPassword());
  const isRight = await verify(kept ?? (await absent), password.normalize('NFC'));
  return isRight && kept !== undefined;
}

/** 20 of 55 characters are 115 random bits. Letters and digits that look alike are left out. */
export const randomPassword = customAlphabet('23456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz', 20);
