import { createPublicKey, verify, type KeyObject } from 'node:crypto';
import type { Clock } from '@rtms/clock';
import { ServiceError, type MediaToken, type SignedPath, type TokenPurpose } from '@rtms/contracts';
import { errors, jwtVerify, type JWTHeaderParameters, type JWTPayload } from 'jose';
import { LRUCache } from 'lru-cache';
import { formatSignedPath, signedPathInput } from './signed-path.js';
import { signatureAlgorithm, type PublicKeySet } from './signing-key.js';
import { toMediaToken } from './to-media-token.js';

/** Verifies tokens and signed paths with the published keys, without asking anyone. */
export class TokenVerifier {
  private keys = new Map<string, KeyObject>();
  /** Good signatures only; a forged one must not push good ones out. */
  private readonly goodPaths = new LRUCache<string, true>({ max: 5000 });

  constructor(private readonly clock: Clock) {}

  /** Replaces all keys. Tokens and paths that a removed key signed are no longer accepted. */
  setKeys(jwks: PublicKeySet): void {
    this.keys = new Map(jwks.keys.map(jwk => [jwk.kid ?? '', createPublicKey({ key: jwk, format: 'jwk' })]));
    this.goodPaths.clear();
  }

  /** Whether any key has arrived yet. */
  get isReady(): boolean {
    return this.keys.size > 0;
  }

  /** Throws `ServiceError` `invalid_credentials` or `token_expired`. */
  verify(token: string, purpose: TokenPurpose): Promise<MediaToken> {
    return this.read(token, purpose, new Date(this.clock.now()));
  }

  /** For PATCH and DELETE of a session, which its token authorises also after the token expired. */
  verifyIgnoringExpiry(token: string, purpose: TokenPurpose): Promise<MediaToken> {
    return this.read(token, purpose, new Date(0));
  }

  /** Whether the signature is good and the path has not expired. */
  verifyPath(path: SignedPath): Promise<boolean> {
    return Promise.resolve(path.expiresAt * 1000 > this.clock.now() && this.isSignedByUs(path));
  }

  private isSignedByUs(path: SignedPath): boolean {
    const cacheKey = `${path.broadcastID}/${formatSignedPath(path)}`;
    if (this.goodPaths.has(cacheKey)) return true;
    const key = this.keys.get(path.kid);
    if (!key || !verify(null, signedPathInput(path), key, Buffer.from(path.signature, 'base64url'))) return false;
    // Another spelling of the same bytes would be another address of the same thing.
    if (Buffer.from(path.signature, 'base64url').toString('base64url') !== path.signature) return false;
    this.goodPaths.set(cacheKey, true);
    return true;
  }

  private async read(token: string, purpose: TokenPurpose, now: Date): Promise<MediaToken> {
    const claims = toMediaToken(await this.verifiedPayload(token, now));
    if (claims?.purpose !== purpose)
      throw new ServiceError('invalid_credentials', 'The token is not for this purpose.');
    return claims;
  }

  private async verifiedPayload(token: string, now: Date): Promise<JWTPayload> {
    if (!this.isReady) throw new ServiceError('dependency_unavailable', 'Tokens cannot be checked yet. Try again.');
    try {
      const options = { algorithms: [signatureAlgorithm], currentDate: now, requiredClaims: ['sub', 'exp'] };
      const keyOf = (header: JWTHeaderParameters): KeyObject => this.keyOf(header);
      return (await jwtVerify(token, keyOf, options)).payload;
    } catch (error) {
      if (error instanceof errors.JWTExpired) throw new ServiceError('token_expired', 'The token has expired.');
      throw new ServiceError('invalid_credentials', 'The token is not valid.');
    }
  }

  private keyOf(header: JWTHeaderParameters): KeyObject {
    const key = this.keys.get(header.kid ?? '');
    if (!key) throw new errors.JWKSNoMatchingKey();
    return key;
  }
}
