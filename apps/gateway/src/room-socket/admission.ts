import type { SocketWelcome } from '@rtms/contracts';
import type { Actor } from './actor.js';

/** What is known of a connection that was let in. */
export interface Admission {
  actor: Actor;
  welcome: SocketWelcome;
  /** The log goes on from here. */
  sequence: number;
  /** Seconds since 1970. */
  tokenExpiresAt: number;
}
