import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JWK } from 'jose';

/** Ed25519 signatures (RFC 8037). */
export const signatureAlgorithm = 'EdDSA';

/** An Ed25519 key pair. Only the gateway has the private key. */
export interface SigningKey {
  kid: string;
  privateJwk: JWK;
  publicJwk: JWK;
}

/** The public keys for verifiers (RFC 7517). */
export interface PublicKeySet {
  keys: JWK[];
}

/** Generates a key. Its id is its thumbprint (RFC 7638). */
export async function generateSigningKey(): Promise<SigningKey> {
  const pair = await generateKeyPair(signatureAlgorithm, { crv: 'Ed25519', extractable: true });
  const publicJwk = await exportJWK(pair.publicKey);
  const kid = await calculateJwkThumbprint(publicJwk);
  const publicMembers = { kid, alg: signatureAlgorithm, use: 'sig' };
  return {
    kid,
    privateJwk: { ...(await exportJWK(pair.privateKey)), ...publicMembers },
    publicJwk: { ...publicJwk, ...publicMembers },
  };
}
