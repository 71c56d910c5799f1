import { createHash } from 'node:crypto';
import { ServiceError, type MediaToken, type TokenPurpose } from '@rtms/contracts';
import type { TokenVerifier } from '@rtms/tokens';

/** A bearer token that was verified for one resource. */
export interface Credential {
  meetingID: string;
  /** Tells tokens apart without keeping them. */
  digest: string;
  /** Its time is over: it may go on only with what it opened itself. */
  isExpired: boolean;
}

export interface CredentialDemand {
  purpose: TokenPurpose;
  resourceID: string;
  /** A session URL outlives the token that opened it. */
  mayBeExpired: boolean;
}

/** Verifies the `Authorization` header of a request; throws `invalid_credentials` or `token_expired`. */
export async function verifyCredential(
  verifier: TokenVerifier,
  authorization: string | undefined,
  { purpose, resourceID, mayBeExpired }: CredentialDemand,
): Promise<Credential> {
  const token = readBearer(authorization);
  const { claims, isExpired } = await readClaims(verifier, token, purpose, mayBeExpired);
  if (claims.resourceID !== resourceID)
    throw new ServiceError('invalid_credentials', 'The token is for another resource.');
  return { meetingID: claims.meetingID, digest: digestOf(token), isExpired };
}

function readBearer(authorization: string | undefined): string {
  const [, token] = /^Bearer +([A-Za-z0-9._~+/-]+=*) *$/i.exec(authorization ?? '') ?? [];
  if (token === undefined) throw new ServiceError('invalid_credentials', 'A bearer token is needed.');
  return token;
}

async function readClaims(
  verifier: TokenVerifier,
  token: string,
  purpose: TokenPurpose,
  mayBeExpired: boolean,
): Promise<{ claims: MediaToken; isExpired: boolean }> {
  try {
    return { claims: await verifier.verify(token, purpose), isExpired: false };
  } catch (error) {
    const isExpired = error instanceof ServiceError && error.reason === 'token_expired';
    if (!mayBeExpired || !isExpired) throw error;
    return { claims: await verifier.verifyIgnoringExpiry(token, purpose), isExpired };
  }
}

function digestOf(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}
