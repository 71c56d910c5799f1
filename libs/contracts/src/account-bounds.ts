/** Characters of a dashboard user's password. */
export const passwordCharacters = { min: 12, max: 256 } as const;

/** For how long a key may stay valid beside the one that took its place. */
export const keyOverlapHours = { min: 0, max: 72 } as const;

/** Of a disposable key that ends by itself. */
export const keyValidityDays = { min: 1, max: 3650 } as const;
