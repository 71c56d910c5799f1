import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import type { Clock } from '@rtms/clock';
import {
  type HlsToken,
  jwksKey,
  keyBucket,
  type MediaToken,
  participantRoles,
  type RecordingToken,
  ServiceError,
  type SignedPath,
  type TokenPurpose,
} from '@rtms/contracts';
import { errors, type JWK, type JWTHeaderParameters, type JWTPayload, jwtVerify } from 'jose';
import { LRUCache } from 'lru-cache';
import type { Bus, Closeable } from '@rtms/bus';
import { formatSignedPath, signedPathInput } from './signed-path.js';
import { type PublicKeySet, signatureAlgorithm } from './signing-key.js';

/** Verifies tokens and signed paths with the published keys, without a request. */
export class TokenVerifier {
  private keys = new Map<string, KeyObject>();
  /** Caches valid signatures only, so that forged ones cannot evict them. */
  private readonly goodPaths = new LRUCache<string, true>({ max: 5000 });

  constructor(private readonly clock: Clock) {}

  /** Replaces all keys. Tokens and paths that a removed key signed are no longer accepted. */
  setKeys(jwks: PublicKeySet): void {
    this.keys = new Map(jwks.keys.map(jwk => [jwk.kid ?? '', createPublicKey({ key: jwk, format: 'jwk' })]));
    this.goodPaths.clear();
  }

  /** Whether a key has arrived. */
  get isReady(): boolean {
    return this.keys.size > 0;
  }

  /** Verifies a token. Throws `ServiceError` `invalid_credentials` or `token_expired`. */
  verify(token: string, purpose: TokenPurpose): Promise<MediaToken> {
    return this.read(token, purpose, new Date(this.clock.now()));
  }

  /** Verifies a token but ignores its expiry, for PATCH and DELETE of the session that it opened. */
  verifyIgnoringExpiry(token: string, purpose: TokenPurpose): Promise<MediaToken> {
    return this.read(token, purpose, new Date(0));
  }

  /** Whether the signature is valid and the path has not expired. */
  verifyPath(path: SignedPath): Promise<boolean> {
    return Promise.resolve(this.isUnexpired(path) && this.isSignedByUs(path));
  }

  /** Whether `verifyPath` has accepted the path lately, and it has not expired. Checks no signature, so a forged path costs nothing. */
  hasVerified(path: SignedPath): boolean {
    return this.isUnexpired(path) && this.goodPaths.has(cacheKeyOf(path));
  }

  private isUnexpired({ expiresAt }: SignedPath): boolean {
    return expiresAt * 1000 > this.clock.now();
  }

  private isSignedByUs(path: SignedPath): boolean {
    const cacheKey = cacheKeyOf(path);
    if (this.goodPaths.has(cacheKey)) return true;
    const key = this.keys.get(path.kid);
    if (!key || !verify(null, signedPathInput(path), key, Buffer.from(path.signature, 'base64url'))) return false;
    // Refuse another spelling of the same bytes, which would be a second address of one file.
    if (Buffer.from(path.signature, 'base64url').toString('base64url') !== path.signature) return false;
    this.goodPaths.set(cacheKey, true);
    return true;
  }

  private async read(token: string, purpose: TokenPurpose, now: Date): Promise<MediaToken> {
    const claims = toMediaToken(await this.verifiedPayload(token, now));
    if (claims?.purpose !== purpose)
      throw new ServiceError('invalid_credentials', 'The token has another purpose. Use the token of this endpoint.');
    return claims;
  }

  private async verifiedPayload(token: string, now: Date): Promise<JWTPayload> {
    if (!this.isReady)
      throw new ServiceError('dependency_unavailable', 'The keys to check tokens have not arrived yet. Try again.');
    try {
      const options = { algorithms: [signatureAlgorithm], currentDate: now, requiredClaims: ['sub', 'exp'] };
      const keyOf = (header: JWTHeaderParameters): KeyObject => this.keyOf(header);
      return (await jwtVerify(token, keyOf, options)).payload;
    } catch (error) {
      if (error instanceof errors.JWTExpired)
        throw new ServiceError('token_expired', 'The token has expired. Request a new one.');
      throw new ServiceError('invalid_credentials', 'The token is invalid. Request a new one.');
    }
  }

  private keyOf(header: JWTHeaderParameters): KeyObject {
    const key = this.keys.get(header.kid ?? '');
    if (!key) throw new errors.JWKSNoMatchingKey();
    return key;
  }
}

function cacheKeyOf(path: SignedPath): string {
  return `${path.broadcastID}/${formatSignedPath(path)}`;
}

const signallingPurposes = ['ingest', 'playback'] as const;

/** Converts JWT claims; undefined if a claim is missing. */
function toMediaToken(payload: JWTPayload): MediaToken | undefined {
  const { sub: resourceID, exp: expiresAt, purpose, meetingID } = payload;
  if (!resourceID || expiresAt === undefined || typeof meetingID !== 'string') return undefined;
  const signalling = signallingPurposes.find(each => each === purpose);
  if (signalling)
    return { purpose: signalling, resourceID, meetingID, expiresAt, ...tenantOf(payload), ...bFramesOf(payload) };
  switch (purpose) {
    case 'thumbnail':
      return { purpose, resourceID, meetingID, expiresAt };
    case 'hls':
      return toHlsToken({ purpose, resourceID, meetingID, expiresAt }, payload['path']);
    case 'join': {
      const role = participantRoles.find(each => each === payload['role']);
      return role && { purpose, resourceID, meetingID, expiresAt, role };
    }
    case 'recording':
      return toRecordingToken({ purpose, resourceID, meetingID, expiresAt }, payload);
    default:
      return undefined;
  }
}

function tenantOf({ tenant }: JWTPayload): { tenant?: string } {
  return typeof tenant === 'string' ? { tenant } : {};
}

/** Only the gateway signs, and it signs this for ingest nodes. */
function bFramesOf({ purpose, hasBFrames }: JWTPayload): { hasBFrames?: true } {
  return purpose === 'ingest' && hasBFrames === true ? { hasBFrames } : {};
}

function toRecordingToken(
  claims: Omit<RecordingToken, 'nodeID' | 'checksumSha256' | 'part'>,
  { nodeID, checksumSha256, part }: JWTPayload,
): RecordingToken | undefined {
  if (typeof nodeID !== 'string' || typeof checksumSha256 !== 'string') return undefined;
  // A narrower token of a later version opens nothing here.
  if (part !== undefined && part !== 'hls') return undefined;
  return { ...claims, nodeID, checksumSha256, ...(part && { part }) };
}

function toHlsToken(claims: Omit<HlsToken, 'path'>, path: unknown): HlsToken | undefined {
  return isSignedPath(path) && path.broadcastID === claims.resourceID ? { ...claims, path } : undefined;
}

function isSignedPath(value: unknown): value is SignedPath {
  if (typeof value !== 'object' || value === null) return false;
  const path = value as Record<string, unknown>;
  return (
    ['broadcastID', 'kid', 'signature'].every(name => typeof path[name] === 'string') &&
    ['window', 'expiresAt'].every(name => typeof path[name] === 'number')
  );
}

/** Publishes the public keys that are still valid. */
export async function publishKeys(bus: Bus, publicJwks: readonly JWK[]): Promise<void> {
  const store = await bus.keyValue<PublicKeySet>(keyBucket);
  await store.put(jwksKey, { keys: [...publicJwks] });
}

/** Updates a verifier's keys whenever the published keys change. */
export async function watchKeys(bus: Bus, verifier: TokenVerifier): Promise<Closeable> {
  const store = await bus.keyValue<PublicKeySet>(keyBucket);
  return store.watch(({ key, value }) => {
    if (key === jwksKey && isKeySet(value)) verifier.setKeys(value);
  });
}

/** Ignores messages that are not key sets: the bus itself may write there, see docs/bus-permissions.md. */
function isKeySet(value: unknown): value is PublicKeySet {
  return typeof value === 'object' && value !== null && 'keys' in value && Array.isArray(value.keys);
}
