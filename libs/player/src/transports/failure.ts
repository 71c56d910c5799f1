import { boundedText } from './response-body.js';

/** Stable codes that say why the player is in its state. */
export type PlayerReason =
  /** The server could not be reached. */
  | 'unreachable'
  /** The server cannot serve now, or is full. */
  | 'unavailable'
  /** The server refuses the offer: another attempt gets the same answer. */
  | 'refused'
  /** The answer is not one of WHEP. */
  | 'bad_answer'
  /** The token is wrong or has expired. */
  | 'token_refused'
  /** `renew` failed. */
  | 'renewal_failed'
  /** No media arrived in time. */
  | 'timeout'
  | 'connection_lost'
  /** The connection stays, but no media arrives. */
  | 'no_media'
  /** The publisher sends nothing now. */
  | 'source_inactive'
  /** The media node leaves service, so the player moves to another one. */
  | 'node_leaving'
  /** The preferred transport plays again. */
  | 'returned'
  | 'playback_ended'
  | 'broadcast_ended'
  /** The media cannot be decoded. */
  | 'media_error'
  /** hls.js could not be loaded. */
  | 'hls_not_loaded'
  /** The browser has no WebRTC, or no HLS. */
  | 'unsupported'
  /** The page gave no address that begins with http: or https:. */
  | 'no_source'
  /** The browser wants a click before it plays sound. */
  | 'play_blocked'
  | 'stopped';

/**
 * `temporary`: try again. `token`: try again with a new token, if there is one. `final`: never try again. `ended`: the stream is
 * over.
 */
export type Fate = 'temporary' | 'token' | 'final' | 'ended';

const fates: Partial<Record<PlayerReason, Fate>> = {
  token_refused: 'token',
  refused: 'final',
  unsupported: 'final',
  no_source: 'final',
  playback_ended: 'ended',
  broadcast_ended: 'ended',
};

export function fateOf(reason: PlayerReason): Fate {
  return fates[reason] ?? 'temporary';
}

/** Why a transport cannot play, or plays no longer. */
export class PlayerFailure extends Error {
  override readonly name = 'PlayerFailure';

  constructor(
    readonly reason: PlayerReason,
    message: string = reason,
    /** The server asks to wait for so long. */
    readonly retryAfterMs = 0,
  ) {
    super(message);
  }
}

export function toFailure(error: unknown, otherwise: PlayerReason): PlayerFailure {
  if (error instanceof PlayerFailure) return error;
  return new PlayerFailure(otherwise, error instanceof Error ? error.message : String(error));
}

/** A server, or a fault of a proxy, could ask for years. */
const longestWaitMs = 60_000;

const temporaryStatuses: readonly number[] = [408, 425, 429];

/** By status, and by the field `reason` of the service's errors. */
function reasonOf(status: number, reason: unknown): PlayerReason {
  if (status === 401 || status === 403) return 'token_refused';
  if (status === 404 || status === 410 || reason === 'playback_ended') return 'playback_ended';
  if (reason === 'source_not_active') return 'source_inactive';
  return status >= 500 || temporaryStatuses.includes(status) ? 'unavailable' : 'refused';
}

/** The service's errors have some hundred characters. */
const longestError = 16 * 1024;

async function errorIn(response: Response): Promise<{ error?: unknown; reason?: unknown } | null | undefined> {
  try {
    return JSON.parse((await boundedText(response, longestError)) ?? '') as {
      error?: unknown;
      reason?: unknown;
    } | null;
  } catch {
    return undefined;
  }
}

/** The failure that an answer without success tells. */
export async function failureIn(response: Response): Promise<PlayerFailure> {
  const body = await errorIn(response);
  const message = typeof body?.error === 'string' ? body.error : `The server answered ${response.status}.`;
  const seconds = Number(response.headers.get('Retry-After') ?? 0);
  const waitMs = Number.isFinite(seconds) ? Math.min(Math.max(0, seconds * 1000), longestWaitMs) : 0;
  return new PlayerFailure(reasonOf(response.status, body?.reason), message, waitMs);
}
