import type { FactBody, RoomMediaEvent } from '@rtms/contracts';
import type { Logger } from '@rtms/logging';
import type { MediaEngine } from '../media/media-engine.js';

/** Takes facts and delivers each, in order, whatever the bus does meanwhile. */
export interface FactReporter {
  report(resourceID: string, body: FactBody, requestID?: string): void;
  forget(resourceID: string): void;
}

/** Milliseconds. */
export interface RoomTimings {
  /** A publisher that was silent for so long gives way to a newcomer with a valid token. */
  takeoverAfter: number;
  /** A publisher that was silent for so long counts as lost. */
  lostAfter: number;
  /** A viewer that is not connected for so long is dropped, as is a member's connection that was lost. */
  viewerConnectsWithin: number;
}

export const defaultRoomTimings: RoomTimings = { takeoverAfter: 2000, lostAfter: 3000, viewerConnectsWithin: 30_000 };

/** What everything in a room works with. */
export interface RoomContext {
  engine: MediaEngine;
  facts: FactReporter;
  /** Tells whoever listens now. */
  announce(event: RoomMediaEvent): void;
  logger: Logger;
  timings: RoomTimings;
  /** ms since 1970. */
  now(): number;
}
