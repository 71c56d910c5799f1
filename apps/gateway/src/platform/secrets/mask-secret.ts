/** Stands for a secret of which nothing is shown. */
export const hiddenSecret = '********';
const shownCharacters = 4;
const longEnough = 20;

/** What people tell a long key by; of a short secret nothing is shown. */
export function maskSecret(secret: string): string {
  return secret.length < longEnough ? hiddenSecret : `${hiddenSecret}${secret.slice(-shownCharacters)}`;
}

const keyBeginning = 8;

/** The first eight characters of a key, of which some tell its kind, and the last four: `tempsand…4fQz`. */
export function maskKey(apiKey: string): string {
  return `${apiKey.slice(0, keyBeginning)}…${apiKey.slice(-shownCharacters)}`;
}
