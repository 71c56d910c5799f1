import { partSecondsOf } from './playlists/parts.js';

export interface PresentationOptions {
  segmentSeconds: number;
  /** Segments of a playlist. Live players need at least 6. */
  windowSegments: number;
  /** Seconds that viewers can seek back; absent: the window. */
  dvrSeconds?: number;
  /** Low-latency HLS. */
  isLow?: boolean;
  /** Accounts share what a node has for requests that wait. */
  accountID?: string;
}

/** For the plan of an encoder: the length of its parts, if players may wait for them. */
export function partPlanOf({ isLow, segmentSeconds }: PresentationOptions): { partSeconds?: number } {
  return isLow ? { partSeconds: partSecondsOf(segmentSeconds) } : {};
}
