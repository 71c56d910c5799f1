import {
  participantRoles,
  type HlsToken,
  type MediaToken,
  type RecordingToken,
  type SignedPath,
} from '@rtms/contracts';
import type { JWTPayload } from 'jose';

/** The claims in our own terms; undefined when something is missing. */
export function toMediaToken(payload: JWTPayload): MediaToken | undefined {
  const { sub: resourceID, exp: expiresAt, purpose, meetingID } = payload;
  if (!resourceID || expiresAt === undefined || typeof meetingID !== 'string') return undefined;
  switch (purpose) {
    case 'ingest':
    case 'playback':
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

function toRecordingToken(
  claims: Omit<RecordingToken, 'nodeID' | 'checksumSha256'>,
  { nodeID, checksumSha256 }: JWTPayload,
): RecordingToken | undefined {
  const isWhole = typeof nodeID === 'string' && typeof checksumSha256 === 'string';
  return isWhole ? { ...claims, nodeID, checksumSha256 } : undefined;
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
