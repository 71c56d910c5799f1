import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@rtms/clock';
import type { RecordingToken } from '@rtms/contracts';
import { CLOCK } from '../../platform/runtime/runtime.module.js';
import { MEDIA_SETTINGS, type MediaSettings } from '../../platform/runtime/media-settings.js';
import { SigningKeysService } from './signing-keys.service.js';

export interface IssuedToken {
  token: string;
  expiresAt: Date;
}

interface TokenSubject {
  id: string;
  meetingID: string;
}

interface SignallingSubject extends TokenSubject {
  accountID: string;
}

/** All signed paths of a broadcast that are issued within this time are the same, so that a CDN can cache the segments. */
const windowSeconds = 3600;

/** Issues short-lived tokens for media endpoints. The gateway does not store them. */
@Injectable()
export class MediaTokensService {
  constructor(
    private readonly keys: SigningKeysService,
    @Inject(MEDIA_SETTINGS) private readonly settings: MediaSettings,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** `hasBFrames`: found by an ingest node. */
  async issue(
    purpose: 'ingest' | 'playback',
    { id: resourceID, meetingID, accountID }: SignallingSubject,
    { hasBFrames = false }: { hasBFrames?: boolean | undefined } = {},
  ): Promise<IssuedToken> {
    const signer = await this.keys.signer();
    const expiresAt = this.expiry();
    const claims = { purpose, resourceID, meetingID, tenant: tenantOf(accountID), expiresAt };
    const token = await signer.sign({ ...claims, ...(hasBFrames && { hasBFrames }) });
    return { token, expiresAt: new Date(expiresAt * 1000) };
  }

  /** Issues the entry token of a broadcast. The token contains the signed path, which is valid as long as the room. */
  async issueEntry({ id, meetingID }: TokenSubject, roomExpiresAt: Date): Promise<IssuedToken> {
    const signer = await this.keys.signer();
    const expiresAt = this.expiry();
    const window = Math.floor(this.seconds() / windowSeconds) * windowSeconds;
    const path = { broadcastID: id, window, expiresAt: Math.floor(roomExpiresAt.getTime() / 1000) };
    const claims = { purpose: 'hls' as const, resourceID: id, meetingID, expiresAt, path: await signer.signPath(path) };
    return { token: await signer.sign(claims), expiresAt: new Date(expiresAt * 1000) };
  }

  /** Issues the token for pictures of one external session. */
  async issueThumbnail({ id: resourceID, meetingID }: TokenSubject): Promise<IssuedToken> {
    const signer = await this.keys.signer();
    const expiresAt = this.expiry();
    const token = await signer.sign({ purpose: 'thumbnail', resourceID, meetingID, expiresAt });
    return { token, expiresAt: new Date(expiresAt * 1000) };
  }

  /** Issues the token for all files of one recording, or for its HLS alone. */
  async issueDownload(
    file: TokenSubject & Pick<RecordingToken, 'nodeID' | 'checksumSha256'>,
    { ttlSeconds = this.settings.tokenTtlSeconds, part }: { ttlSeconds?: number; part?: 'hls' } = {},
  ): Promise<IssuedToken> {
    const { id: resourceID, meetingID, nodeID, checksumSha256 } = file;
    const signer = await this.keys.signer();
    const expiresAt = this.seconds() + ttlSeconds;
    const claims = { purpose: 'recording' as const, resourceID, meetingID, expiresAt, nodeID, checksumSha256 };
    return { token: await signer.sign({ ...claims, ...(part && { part }) }), expiresAt: new Date(expiresAt * 1000) };
  }

  /** The time in seconds since 1970. */
  private seconds(): number {
    return Math.floor(this.clock.now() / 1000);
  }

  private expiry(): number {
    return this.seconds() + this.settings.tokenTtlSeconds;
  }
}

/** Viewers read their tokens, so the name does not tell the account. */
function tenantOf(accountID: string): string {
  return createHash('sha256').update(accountID).digest('base64url').slice(0, 16);
}
