import { systemClock, type Clock } from '@rtms/clock';
import type { HlsToken, IngestToken, PlaybackToken } from '@rtms/contracts';
import { generateSigningKey, TokenSigner, TokenVerifier } from '@rtms/tokens';

const inFiveMinutes = (): number => Math.floor(Date.now() / 1000) + 300;

/** Creates a signer and a verifier with one new key. */
export async function makeTokenPair(
  clock: Clock = systemClock,
): Promise<{ signer: TokenSigner; verifier: TokenVerifier }> {
  const key = await generateSigningKey();
  const verifier = new TokenVerifier(clock);
  verifier.setKeys({ keys: [key.publicJwk] });
  return { signer: new TokenSigner(key, clock), verifier };
}

export function makeIngestClaims(given: Partial<IngestToken> = {}): IngestToken {
  return { purpose: 'ingest', resourceID: 'ext_1', meetingID: 'room_1', expiresAt: inFiveMinutes(), ...given };
}

export function makePlaybackClaims(given: Partial<PlaybackToken> = {}): PlaybackToken {
  return { purpose: 'playback', resourceID: 'play_1', meetingID: 'room_1', expiresAt: inFiveMinutes(), ...given };
}

/** Creates claims for a broadcast's playback URL. The same signer signs the path. */
export async function makeHlsClaims(signer: TokenSigner, given: Partial<HlsToken> = {}): Promise<HlsToken> {
  const resourceID = given.resourceID ?? 'bcast_1';
  const expiresAt = given.expiresAt ?? inFiveMinutes();
  const path = await signer.signPath({ broadcastID: resourceID, window: expiresAt - 300, expiresAt: expiresAt + 3600 });
  return { purpose: 'hls', resourceID, meetingID: 'room_1', expiresAt, path, ...given };
}
