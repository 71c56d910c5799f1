import type { Bus } from '@rtms/bus';
import { endpointState, ServiceError } from '@rtms/contracts';
import { LRUCache } from 'lru-cache';
import type { SignallingRoute } from './endpoint.js';

/** The client waits for this answer. An outage of the gateway must not delay signalling longer. */
const deadlineMs = 2_000;

/** Ended resources to remember, because their clients may retry. Takes about 1 MB. */
const maxEnded = 10_000;

/**
 * Asks the gateway why no node holds a session or playback. A client of an ended resource must give up. A client of a
 * resource that waits for a node may retry.
 */
export class AbsentResources {
  private readonly ended = new LRUCache<string, true>({ max: maxEnded });

  constructor(private readonly bus: Bus) {}

  /** Returns the error for the client. Returns `otherwise` when the gateway does not answer. */
  async explain(
    { protocol, resourceID, key }: SignallingRoute,
    requestID: string,
    otherwise: unknown,
  ): Promise<unknown> {
    const question = { protocol, resourceID };
    const state = this.ended.has(resourceID)
      ? 'ended'
      : await this.bus.request(endpointState, question, { requestID, deadlineMs }).then(
          answer => answer.state,
          () => undefined,
        );
    switch (state) {
      case 'ended':
        this.ended.set(resourceID, true);
        return key === undefined ? endedFailures[protocol]() : sessionUrlIsOver();
      case 'unknown':
        return new ServiceError('not_found', 'There is no WHIP or WHEP resource at this address.');
      case 'live':
        return notHeld();
      case undefined:
        return otherwise;
    }
  }
}

const endedFailures = {
  whip: () => new ServiceError('session_ended'),
  whep: () => new ServiceError('playback_ended'),
};

/** 404 for a session URL whose session has ended or never existed. */
export function sessionUrlIsOver(): ServiceError {
  return new ServiceError('not_found', 'No such session URL, or its session has ended. POST a new offer.');
}

export function notHeld(): ServiceError {
  return new ServiceError('controller_unavailable', 'No media node holds the room now. Try again later.');
}
