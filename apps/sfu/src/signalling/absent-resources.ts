import type { Bus } from '@rtms/bus';
import { endpointState, ServiceError } from '@rtms/contracts';
import { LRUCache } from 'lru-cache';
import type { SignallingRoute } from './signalling-route.js';

/** A client waits for the answer, and an outage of the gateway must not hold up signalling. */
const deadlineMs = 2_000;

/** Ended resources whose clients may still try: about 1 MB. */
const maxEnded = 10_000;

/**
 * Finds out why no node holds a session or a playback. Only the gateway knows whether it has ended, so that a publisher must
 * give up, or whether it waits for a node, so that a publisher may retry.
 */
export class AbsentResources {
  private readonly ended = new LRUCache<string, true>({ max: maxEnded });

  constructor(private readonly bus: Bus) {}

  /** Returns the failure for the client; `otherwise` where the gateway does not answer. */
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
        return new ServiceError('not_found', 'There is nothing at this address.');
      case 'live':
        return notHeld();
      case undefined:
        return otherwise;
    }
  }
}

const endedFailures = {
  whip: () => new ServiceError('session_ended', 'The external session has ended.'),
  whep: () => new ServiceError('playback_ended', 'The playback has ended.'),
};

/** As for an ended session of a room that a node still holds. */
export function sessionUrlIsOver(): ServiceError {
  return new ServiceError('not_found', 'This session URL does not exist, or its session is over.');
}

export function notHeld(): ServiceError {
  return new ServiceError('controller_unavailable', 'The room is not held by any media worker now.');
}
