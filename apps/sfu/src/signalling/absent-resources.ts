import { type Bus, DeadlineError, NoResponderError } from '@rtms/bus';
import type { Clock } from '@rtms/clock';
import {
  endpointState,
  roomSignalling,
  ServiceError,
  type EndpointQuestion,
  type EndpointState,
  type SignallingRequest,
  type SignallingResponse,
} from '@rtms/contracts';
import { LRUCache } from 'lru-cache';
import type { RoomRegistry } from '../rooms/room-registry.js';
import type { SignallingRoute } from './endpoint.js';
import { empty } from './responses.js';

/** The client waits for this answer. An outage of the gateway must not delay signalling longer. */
const deadlineMs = 2_000;

/** An owner opens a transport within milliseconds. A lost owner never answers. */
const ownerAnswersWithinMs = 3_000;

/** No node holds the room, but it has not ended: the gateway gives it to another node. */
class MovingRoomError extends ServiceError {
  constructor() {
    super('controller_unavailable', 'No media node holds the room now. Try again later.');
  }
}

/** Ended resources to remember, because their clients may retry. Takes about 1 MB. */
const maxEnded = 10_000;

/**
 * Asks the gateway why no node holds a session or playback. A client of an ended resource must give up. A client of a
 * resource that waits for a node may retry.
 */
export class AbsentResources {
  private readonly ended = new LRUCache<string, true>({ max: maxEnded });
  /** Thousands of viewers ask about one playback when its node dies. */
  private readonly asking = new Map<string, Promise<EndpointState | undefined>>();

  constructor(
    private readonly bus: Bus,
    private readonly rooms: Pick<RoomRegistry, 'untilOpen'>,
  ) {}

  /** Returns the error for the client. Returns `otherwise` when the gateway does not answer. */
  async explain(
    { protocol, resourceID, key }: SignallingRoute,
    requestID: string,
    otherwise: unknown,
  ): Promise<unknown> {
    const state = this.ended.has(resourceID) ? 'ended' : await this.ask({ protocol, resourceID }, requestID);
    switch (state) {
      case 'ended':
        this.ended.set(resourceID, true);
        return key === undefined ? endedFailures[protocol]() : sessionUrlIsOver();
      case 'unknown':
        return new ServiceError('not_found', 'There is no WHIP or WHEP resource at this address.');
      case 'live':
        return new MovingRoomError();
      case undefined:
        return otherwise;
    }
  }

  /** Sends the request to the node that holds the room. If no node holds the room, its sessions have ended, so DELETE succeeds. */
  async forward(meetingID: string, route: SignallingRoute, request: SignallingRequest): Promise<SignallingResponse> {
    const { requestID } = request;
    try {
      const answer = this.bus.request(roomSignalling.forResource(meetingID), request, {
        requestID,
        deadlineMs: ownerAnswersWithinMs,
      });
      return await (request.method === 'POST' ? this.unlessMovedHere(meetingID, answer) : answer);
    } catch (error) {
      // An owner whose host is lost keeps its subscriptions until its connections time out.
      if (error instanceof DeadlineError && request.method === 'POST') throw new MovingRoomError();
      if (!(error instanceof NoResponderError)) throw error;
      if (request.method === 'DELETE') return empty(200);
      throw await this.explain(route, requestID, notHeld());
    }
  }

  /** An offer does not wait for a lost owner once the gateway has given the room to this node. */
  private unlessMovedHere<Answer>(meetingID: string, answer: Promise<Answer>): Promise<Answer> {
    const answered = new AbortController();
    const moved = this.rooms.untilOpen(meetingID, answered.signal).then(() => Promise.reject(new MovingRoomError()));
    return Promise.race([answer, moved]).finally(() => answered.abort());
  }

  /** Returns undefined when no gateway answers. */
  private ask(question: EndpointQuestion, requestID: string): Promise<EndpointState | undefined> {
    const key = `${question.protocol} ${question.resourceID}`;
    const underway = this.asking.get(key);
    if (underway) return underway;
    const asking = this.bus.request(endpointState, question, { requestID, deadlineMs }).then(
      ({ state }) => state,
      () => undefined,
    );
    this.asking.set(key, asking);
    return asking.finally(() => this.asking.delete(key));
  }
}

/** The gateway moves the rooms of a dead node within about three seconds. Clients wait ten seconds for an answer. */
const roomMovesWithinMs = 6_000;
const firstPauseMs = 250;
const longestPauseMs = 500;
/** A waiting offer takes up to `SDP_MAX_BYTES`. Further offers get a 503 at once. */
const mostWaiting = 500;

/** An answer, which may be an error, and whether another attempt may get a better one. */
interface Outcome {
  answer: Promise<SignallingResponse>;
  isMoving: boolean;
}

/** Offers whose room moves to another node. */
export class WaitingOffers {
  private readonly waiting = new Map<string, number>();
  private free = mostWaiting;

  constructor(private readonly clock: Clock) {}

  /** Repeats the offer until a node holds its room, so that the client does not have to. */
  async untilHeld(tenant: string, attempt: () => Promise<SignallingResponse>): Promise<SignallingResponse> {
    const until = this.clock.now() + roomMovesWithinMs;
    const first = await outcomeOf(attempt);
    if (!first.isMoving || !this.takePlace(tenant)) return first.answer;
    try {
      return await this.repeat(attempt, first, until);
    } finally {
      this.leavePlace(tenant);
    }
  }

  private async repeat(
    attempt: () => Promise<SignallingResponse>,
    first: Outcome,
    until: number,
  ): Promise<SignallingResponse> {
    let last = first;
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
      if (!last.isMoving || this.clock.now() + pauseMs > until) return last.answer;
      await this.clock.pause(pauseMs);
      last = await outcomeOf(attempt);
    }
  }

  /** A tenant may have as many places as it leaves free. So n greedy tenants have 1/(n + 1) of all places each. */
  private takePlace(tenant: string): boolean {
    const own = this.waiting.get(tenant) ?? 0;
    if (own >= this.free) return false;
    this.waiting.set(tenant, own + 1);
    this.free--;
    return true;
  }

  private leavePlace(tenant: string): void {
    const others = (this.waiting.get(tenant) ?? 1) - 1;
    if (others > 0) this.waiting.set(tenant, others);
    else this.waiting.delete(tenant);
    this.free++;
  }
}

async function outcomeOf(attempt: () => Promise<SignallingResponse>): Promise<Outcome> {
  const answer = attempt();
  const isMoving = await answer.then(tellsMoving, (error: unknown) => error instanceof MovingRoomError);
  return { answer, isMoving };
}

/** Whether the node that holds the room does not hold the session or playback yet. */
function tellsMoving({ status, body }: SignallingResponse): boolean {
  return status === 503 && (JSON.parse(body) as { reason?: string }).reason === 'controller_unavailable';
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
