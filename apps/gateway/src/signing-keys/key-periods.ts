import type { StoredSigningKey } from './signing-key.entity.js';

type Periods = Pick<StoredSigningKey, 'kid' | 'createdAt' | 'retiredAt'>;

/** Every verifier has heard of a new key by then. */
export const activationDelayMs = 5_000;

/** A signed path lives as long as its room: a day at most. An hour more for clocks and for the last tokens. */
export const overlapMs = 25 * 3_600_000;

/** The newest key that has been public long enough; on a first start the only one there is. */
export function signingKeyOf<Key extends Periods>(keys: readonly Key[], now: Date): Key | undefined {
  const newestFirst = [...keys].sort((a, b) => b.createdAt.getTime() - a.createdAt.getTime());
  const known = newestFirst.find(key => now.getTime() - key.createdAt.getTime() >= activationDelayMs);
  return known ?? newestFirst.at(-1);
}

/** The keys whose signatures are still accepted. */
export function publicKeysOf<Key extends Periods>(keys: readonly Key[], now: Date): Key[] {
  return keys.filter(key => key.retiredAt === null || now.getTime() - key.retiredAt.getTime() < overlapMs);
}
