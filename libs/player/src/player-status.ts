import type { PlayerReason } from './transports/failure.js';
import type { TransportKind } from './transports/transport.js';

/** `idle`: not started, or stopped. `ended` and `failed` stay until the next `play()`. */
export type PlayerState = 'idle' | 'connecting' | 'playing' | 'stalled' | 'ended' | 'failed';

export interface PlayerStatus {
  state: PlayerState;
  /** The transport that plays or connects. */
  transport: TransportKind | undefined;
  /** Why the player is in this state. undefined for the expected course. */
  reason: PlayerReason | undefined;
  /** The words of the server or the browser, for logs. */
  message: string | undefined;
}
