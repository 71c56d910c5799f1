import type { Bus, Closeable } from '@rtms/bus';
import { jwksKey, keyBucket } from '@rtms/contracts';
import type { JWK } from 'jose';
import type { PublicKeySet } from './signing-key.js';
import type { TokenVerifier } from './token-verifier.js';

/** Puts the public halves of all keys that still count where every verifier looks. */
export async function publishKeys(bus: Bus, publicJwks: readonly JWK[]): Promise<void> {
  const store = await bus.keyValue<PublicKeySet>(keyBucket);
  await store.put(jwksKey, { keys: [...publicJwks] });
}

/** Keeps a verifier's keys those that are published, also after they are rotated. */
export async function watchKeys(bus: Bus, verifier: TokenVerifier): Promise<Closeable> {
  const store = await bus.keyValue<PublicKeySet>(keyBucket);
  return store.watch(({ key, value }) => {
    if (key === jwksKey && value) verifier.setKeys(value);
  });
}
