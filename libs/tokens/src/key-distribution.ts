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
    if (key === jwksKey && isKeySet(value)) verifier.setKeys(value);
  });
}

/** The bus itself can be made to put its own words there, see docs/bus-permissions.md; they must not cost the keys. */
function isKeySet(value: unknown): value is PublicKeySet {
  return typeof value === 'object' && value !== null && 'keys' in value && Array.isArray(value.keys);
}
