import type { Clock } from '@rtms/clock';
import type { FactBody, RoomMediaEvent } from '@rtms/contracts';
import type { Logger } from '@rtms/logging';
import type { MediaEngine, MediaRoom, ViewerOpener } from '../media/media-engine.js';
import type { Audiences } from './audiences.js';
import type { AskForRepair } from './repair/session-repair.js';

/** Delivers facts in order, also after an outage of the bus. */
interface FactReporter {
  report(resourceID: string, body: FactBody, requestID?: string): void;
  forget(resourceID: string): void;
}

/** Milliseconds. */
export const roomTimings = {
  /** A new publisher with a valid token replaces a publisher that has been silent for this long. */
  takeoverAfter: 2_000,
  /** A publisher that has been silent for this long is lost. */
  lostAfter: 3_000,
  /** A viewer that has not connected this long after the answer is closed. */
  viewerConnectsWithin: 5_000,
  /** A viewer or member whose connection has been lost for this long is closed. */
  returnsWithin: 30_000,
  /** Minimum time between two viewer counts of a playback, except for the first viewer and the last one. */
  viewerCountsEvery: 1_000,
} as const;

/** The services that the parts of a room share. */
export interface RoomContext {
  engine: Pick<MediaEngine, 'openRoom' | 'payloadProfile'>;
  /** Opens viewers of a room on this node or on other nodes. */
  viewersOf(room: MediaRoom): ViewerOpener;
  audiences: Audiences;
  facts: FactReporter;
  /** Publishes an event to the current listeners. */
  announce(event: RoomMediaEvent): void;
  askForRepair: AskForRepair;
  logger: Logger;
  clock: Clock;
  /** Reports that a publisher, viewer or member has left, so that a drain can check whether the node is empty. */
  noteEnd(): void;
}
