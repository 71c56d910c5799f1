import { Inject, Injectable } from '@nestjs/common';
import { NoResponderError, type Bus } from '@rtms/bus';
import { roomSignalling, ServiceError, type SignallingRequest, type SignallingResponse } from '@rtms/contracts';
import { toServiceError } from '@rtms/http';
import type { Logger } from '@rtms/logging';
import { TokenVerifier } from '@rtms/tokens';
import type { ViewerEvents } from '../rooms/viewer-events.js';
import { RoomRegistry } from '../rooms/room-registry.js';
import type { SfuConfig } from '../sfu.config.js';
import { BUS, LOGGER, SFU_CONFIG } from '../sfu.tokens.js';
import { WhepEndpoint } from '../whep/whep.endpoint.js';
import { WhipEndpoint } from '../whip/whip.endpoint.js';
import { AbsentResources, notHeld } from './absent-resources.js';
import { verifyCredential, type Credential } from './credential.js';
import type { Endpoint } from './endpoint.js';
import { iceServerLinks } from './ice-servers.js';
import { LocalSignalling, type LocalCall } from './local-signalling.js';
import { empty, failureResponse, fragmentType, sdpType } from './responses.js';
import { allowedMethods, parseSignallingPath, type SignallingRoute } from './signalling-route.js';

/** A request whose body is read only once the token is verified: strangers cannot fill the memory. */
export interface IncomingRequest {
  head: Omit<SignallingRequest, 'body'>;
  readBody: () => Promise<string>;
  /** Default: true. Another node's request has come far enough. */
  mayForward?: boolean;
}

type Head = IncomingRequest['head'];

/** The other methods of signalling have no body. */
const methodsWithBody: readonly string[] = ['POST', 'PATCH'];

/**
 * WHIP and WHEP requests, however they came here. A request for a room that another node holds goes there over the
 * bus, since browsers drop `Authorization` on a redirect; there it runs through the same code.
 */
@Injectable()
export class SignallingService {
  private readonly local: LocalSignalling;
  private readonly absent: AbsentResources;
  private readonly links: Record<string, string>;

  constructor(
    @Inject(SFU_CONFIG) config: SfuConfig,
    @Inject(BUS) private readonly bus: Bus,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly verifier: TokenVerifier,
    private readonly rooms: RoomRegistry,
    private readonly whip: WhipEndpoint,
    private readonly whep: WhepEndpoint,
  ) {
    const link = iceServerLinks(config.iceServers);
    this.links = link === undefined ? {} : { Link: link };
    this.local = new LocalSignalling(config, this.links);
    this.absent = new AbsentResources(bus);
    rooms.announceWith(meetingID =>
      bus.respond(roomSignalling.forResource(meetingID), ({ body, ...head }) =>
        this.handle({ head, readBody: () => Promise.resolve(body), mayForward: false }),
      ),
    );
  }

  /** Never throws: a failure is a response too. */
  async handle(incoming: IncomingRequest): Promise<SignallingResponse> {
    try {
      return await this.respond(incoming);
    } catch (error) {
      return failureResponse(this.note(error, incoming.head));
    }
  }

  private async respond(incoming: IncomingRequest): Promise<SignallingResponse> {
    const { head: request } = incoming;
    const route = parseSignallingPath(request.path);
    if (!route) throw new ServiceError('not_found', 'There is nothing at this address.');
    const endpoint = route.protocol === 'whip' ? this.whip : this.whep;
    const allow = allowedMethods(route);
    if (!allow.includes(request.method)) return methodNotAllowed(request.method, allow);
    switch (request.method) {
      case 'OPTIONS':
        return this.options(endpoint, route, request);
      case 'HEAD':
      case 'GET':
        if (route.stream === undefined && !wantsDescription(endpoint, route, request))
          return read(endpoint, route, request.method);
    }
    return this.authorised(endpoint, route, incoming);
  }

  private async authorised(
    endpoint: Endpoint,
    route: SignallingRoute,
    { head, readBody, mayForward = true }: IncomingRequest,
  ): Promise<SignallingResponse> {
    const credential = await this.verify(endpoint, route, head);
    const request = { ...head, body: methodsWithBody.includes(head.method) ? await readBody() : '' };
    const room = this.rooms.find(credential.meetingID);
    if (room) return this.serve({ endpoint, route, request, credential, room });
    if (mayForward) return this.forward(credential.meetingID, route, request);
    throw await this.absent.explain(route, request.requestID, notHeld());
  }

  /** The room may be here while the session or playback has ended elsewhere, or is not here yet. */
  private async serve(call: LocalCall): Promise<SignallingResponse> {
    try {
      return await this.local.handle(call);
    } catch (error) {
      const { route, request } = call;
      const isUnknown = error instanceof ServiceError && error.reason === 'not_found';
      if (!isUnknown || route.key !== undefined) throw error;
      throw await this.absent.explain(route, request.requestID, error);
    }
  }

  /** A room that nobody holds has no sessions left, so there a farewell is done already. */
  private async forward(
    meetingID: string,
    route: SignallingRoute,
    request: SignallingRequest,
  ): Promise<SignallingResponse> {
    const { requestID } = request;
    try {
      return await this.bus.request(roomSignalling.forResource(meetingID), request, { requestID });
    } catch (error) {
      if (!(error instanceof NoResponderError)) throw error;
      if (request.method === 'DELETE') return empty(200);
      throw await this.absent.explain(route, requestID, notHeld());
    }
  }

  private verify(endpoint: Endpoint, route: SignallingRoute, { headers }: Head): Promise<Credential> {
    return verifyCredential(this.verifier, headers['authorization'], {
      purpose: endpoint.purpose,
      resourceID: route.resourceID,
      mayBeExpired: route.key !== undefined,
    });
  }

  /** A preflight must not tell TURN credentials; a client's own authorised OPTIONS may ask for them. */
  private async options(endpoint: Endpoint, route: SignallingRoute, request: Head): Promise<SignallingResponse> {
    const accept: Record<string, string> =
      route.key === undefined ? { 'Accept-Post': sdpType } : { 'Accept-Post': sdpType, 'Accept-Patch': fragmentType };
    const isPreflight = request.headers['access-control-request-method'] !== undefined;
    const isAuthorised = !isPreflight && (await this.verify(endpoint, route, request).then(Boolean, () => false));
    const allow = allowedMethods(route).join(', ');
    return empty(200, { Allow: allow, ...accept, ...(isAuthorised && this.links) });
  }

  /** The events of a viewer whose room this node holds. */
  eventsOf(path: string): { events: ViewerEvents; stream: string } | undefined {
    const { resourceID = '', key = '', stream = '' } = parseSignallingPath(path) ?? {};
    const room = this.rooms.roomOfPlayback(resourceID);
    const viewer = room?.playback(resourceID).viewer(key);
    return viewer && { events: viewer.events, stream };
  }

  private note(error: unknown, { method, path, requestID }: Head): ServiceError {
    const failure = toServiceError(error);
    const fields = { requestID, method, endpoint: path.split('/')[1], reason: failure.reason };
    if (failure.reason === 'internal_error') this.logger.error({ ...fields, err: error }, 'signalling failed');
    else this.logger.info(fields, failure.message);
    return failure;
  }
}

function methodNotAllowed(method: string, allow: readonly string[]): SignallingResponse {
  const failure = new ServiceError('method_not_allowed', `${method} is not possible here.`);
  const response = failureResponse(failure);
  return { ...response, headers: { ...response.headers, Allow: allow.join(', ') } };
}

function wantsDescription(endpoint: Endpoint, route: SignallingRoute, { headers }: Head): boolean {
  const isAsked = (headers['accept'] ?? '').includes('application/json');
  return isAsked && endpoint.protocol === 'whep' && route.key === undefined;
}

/** GET and HEAD say that the address is one, and nothing about what is there (RFC 9725 section 4.1). */
function read(endpoint: Endpoint, route: SignallingRoute, method: string): SignallingResponse {
  const isProbe = method === 'HEAD' && endpoint.protocol === 'whep' && route.key === undefined;
  return isProbe ? empty(200, { 'Content-Type': sdpType }) : empty(204);
}
