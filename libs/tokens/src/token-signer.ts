import { createPrivateKey, sign, type KeyObject } from 'node:crypto';
import type { MediaToken, SignedPath } from '@rtms/contracts';
import { SignJWT } from 'jose';
import { signedPathInput } from './signed-path.js';
import { signatureAlgorithm, type SigningKey } from './signing-key.js';

/** Issues tokens and signed paths with one key. */
export class TokenSigner {
  private readonly privateKey: KeyObject;

  constructor(private readonly key: SigningKey) {
    this.privateKey = createPrivateKey({ key: key.privateJwk, format: 'jwk' });
  }

  /** The id that stands in everything signed with this key. */
  get kid(): string {
    return this.key.kid;
  }

  /** A compact JWT (RFC 7519); the resource is its subject. */
  sign(claims: MediaToken): Promise<string> {
    const { resourceID, expiresAt, ...rest } = claims;
    return new SignJWT(rest)
      .setProtectedHeader({ alg: signatureAlgorithm, kid: this.kid, typ: 'JWT' })
      .setSubject(resourceID)
      .setIssuedAt()
      .setExpirationTime(expiresAt)
      .sign(this.privateKey);
  }

  /** The same input gives the same path, so that all viewers of a window share a CDN's copies. */
  signPath(path: Pick<SignedPath, 'broadcastID' | 'window' | 'expiresAt'>): Promise<SignedPath> {
    const signature = sign(null, signedPathInput(path), this.privateKey).toString('base64url');
    const { broadcastID, window, expiresAt } = path;
    return Promise.resolve({ broadcastID, window, expiresAt, kid: this.kid, signature });
  }
}
