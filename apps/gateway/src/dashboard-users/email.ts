/** One way to write each address: mailboxes that differ in letter case alone are one user's. */
export function normaliseEmail(email: string): string {
  return email.trim().normalize('NFC').toLowerCase();
}

/** Something, an at sign, a host: whether mail arrives there is not ours to know. */
export const emailForm = /^[^\s@]{1,64}@[^\s@.]+(?:\.[^\s@.]+)*$/;
export const maxEmailCharacters = 254;
