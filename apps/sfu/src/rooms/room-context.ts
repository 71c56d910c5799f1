import type { Clock } from '@rtms/clock';
import type { FactBody, RoomMediaEvent } from '@rtms/contracts';
import type { Logger } from '@rtms/logging';
import type { MediaEngine } from '../media/media-engine.js';
import type { Audiences } from './audiences.js';

/** Takes facts and delivers each, in order, also through an outage of the bus. */
export interface FactReporter {
  report(resourceID: string, body: FactBody, requestID?: string): void;
  forget(resourceID: string): void;
}

/** Milliseconds. */
export const roomTimings = {
  /** A publisher that has been silent for this long gives way to a newcomer with a valid token. */
  takeoverAfter: 2_000,
  /** A publisher that has been silent for this long counts as lost. */
  lostAfter: 3_000,
  /** A viewer that has not connected this long after the answer is dropped. */
  viewerConnectsWithin: 5_000,
  /** A viewer or a member whose connection has been lost for this long is dropped. */
  returnsWithin: 30_000,
  /** A playback's number of viewers is told at most this often, unless the first one comes or the last one goes. */
  viewerCountsEvery: 1_000,
} as const;

/** The services that everything in a room uses. */
export interface RoomContext {
  engine: MediaEngine;
  audiences: Audiences;
  facts: FactReporter;
  /** Tells those who listen at this moment. */
  announce(event: RoomMediaEvent): void;
  logger: Logger;
  clock: Clock;
  /** Says that a publisher, a viewer or a member has gone. A drain looks whether it was the last. */
  noteEnd(): void;
}
