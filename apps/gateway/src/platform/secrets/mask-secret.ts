/** Shown in place of a secret. */
export const hiddenSecret = '********';
const shownCharacters = 4;
const longEnough = 20;

/** Shows the last four characters of a long secret, so that people recognise it. Shows nothing of a short one. */
export function maskSecret(secret: string): string {
  return secret.length < longEnough ? hiddenSecret : `${hiddenSecret}${secret.slice(-shownCharacters)}`;
}

const keyBeginning = 8;

/** The first eight characters of a key, which include its kind, and the last four: `tempsand…4fQz`. */
export function maskKey(apiKey: string): string {
  return `${apiKey.slice(0, keyBeginning)}…${apiKey.slice(-shownCharacters)}`;
}
