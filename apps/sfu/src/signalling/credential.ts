import { createHash } from 'node:crypto';
import { ServiceError, type MediaToken, type TokenPurpose } from '@rtms/contracts';
import type { TokenVerifier } from '@rtms/tokens';

/** A bearer token that was verified for one resource. */
export interface MediaCredential {
  meetingID: string;
  /** The account's opaque name. Tokens of earlier versions have none: then the room. */
  tenant: string;
  /** SHA-256 of the token, to compare tokens without storing them. */
  digest: string;
  /** An expired token is valid only for the session that it opened. */
  isExpired: boolean;
  /** An ingest node has found B-frames in the video that it publishes. The gateway signs this for ingest nodes alone. */
  hasBFrames: boolean;
}

interface CredentialDemand {
  purpose: TokenPurpose;
  resourceID: string;
  /** True for session URLs: a session may last longer than its token. */
  mayBeExpired: boolean;
}

/** Verifies the `Authorization` header. Throws `invalid_credentials` or `token_expired`. */
export async function verifyCredential(
  verifier: TokenVerifier,
  authorization: string | undefined,
  { purpose, resourceID, mayBeExpired }: CredentialDemand,
): Promise<MediaCredential> {
  const token = readBearer(authorization);
  const { claims, isExpired } = await readClaims(verifier, token, purpose, mayBeExpired);
  if (claims.resourceID !== resourceID)
    throw new ServiceError(
      'invalid_credentials',
      'The token belongs to another session or playback. Use the token of this one.',
    );
  const { meetingID } = claims;
  const tenant = 'tenant' in claims ? (claims.tenant ?? meetingID) : meetingID;
  const hasBFrames = 'hasBFrames' in claims && claims.hasBFrames === true;
  return { meetingID, tenant, digest: digestOf(token), isExpired, hasBFrames };
}

function readBearer(authorization: string | undefined): string {
  const [, token] = /^Bearer +([A-Za-z0-9._~+/-]+=*) *$/i.exec(authorization ?? '') ?? [];
  if (token === undefined)
    throw new ServiceError('invalid_credentials', 'Send the token as `Authorization: Bearer <token>`.');
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
