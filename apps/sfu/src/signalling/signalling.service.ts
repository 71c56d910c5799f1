import { Inject, Injectable } from '@nestjs/common';
import type { Bus } from '@rtms/bus';
import type { Clock } from '@rtms/clock';
import { roomSignalling, ServiceError, type SignallingRequest, type SignallingResponse } from '@rtms/contracts';
import { toServiceError } from '@rtms/http';
import type { Logger } from '@rtms/logging';
import { TokenVerifier } from '@rtms/tokens';
import { BUS, CLOCK, LOGGER } from '@rtms/node';
import { RoomRegistry } from '../rooms/room-registry.js';
import type { Room } from '../rooms/room.js';
import type { SignalledPeer } from '../rooms/signalled-peer.js';
import { SFU_CONFIG, type SfuConfig } from '../sfu.config.js';
import { IceServers } from '../turn/ice-servers.js';
import { buildSdpFragment, parseSdpFragment, restartCredentials, type SdpFragment } from './sdp/sdpfrag.js';
import { AbsentResources, notHeld, sessionUrlIsOver, WaitingOffers } from './absent-resources.js';
import { type MediaCredential, verifyCredential } from './credential.js';
import {
  allowedMethods,
  type Endpoint,
  ENDPOINTS,
  type Endpoints,
  parseSignallingPath,
  signallingPath,
  type SignallingRoute,
} from './endpoint.js';
import {
  empty,
  failureResponse,
  fragmentType,
  jsonResponse,
  methodNotAllowed,
  requireType,
  sdpType,
} from './responses.js';
import { decidePatch, parseIfMatch } from './patch-decision.js';

/** A request whose body is read after the token is verified, so that strangers cannot fill the memory. */
export interface IncomingRequest {
  head: Omit<SignallingRequest, 'body'>;
  readBody: () => Promise<string>;
  /** Default: true. False for a request that another node forwarded. */
  mayForward?: boolean;
}

type Head = IncomingRequest['head'];

/** An authorised request for a room of this node. */
interface LocalCall {
  endpoint: Endpoint;
  route: SignallingRoute;
  request: SignallingRequest;
  credential: MediaCredential;
  room: Room;
}

/** Requests with other methods have no body. */
const methodsWithBody: readonly string[] = ['POST', 'PATCH'];

/**
 * Serves WHIP and WHEP requests from HTTP and from other nodes. Forwards a request over the bus if another node holds the
 * room. A redirect would not work: browsers drop `Authorization` on a redirect.
 */
@Injectable()
export class SignallingService {
  private readonly urls: { publicUrl: string; internalUrl: string };
  private readonly absent: AbsentResources;
  private readonly offers: WaitingOffers;

  constructor(
    @Inject(SFU_CONFIG) config: SfuConfig,
    @Inject(BUS) bus: Bus,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly verifier: TokenVerifier,
    private readonly rooms: RoomRegistry,
    private readonly iceServers: IceServers,
    @Inject(ENDPOINTS) private readonly endpoints: Endpoints,
    @Inject(CLOCK) clock: Clock,
  ) {
    this.urls = config;
    this.absent = new AbsentResources(bus, rooms);
    this.offers = new WaitingOffers(clock);
    rooms.announceWith(meetingID =>
      bus.respond(roomSignalling.forResource(meetingID), ({ body, ...head }) =>
        this.handle({ head, readBody: () => Promise.resolve(body), mayForward: false }),
      ),
    );
  }

  /** Never throws: an error becomes a response. */
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
    if (!route) throw new ServiceError('not_found', 'There is no WHIP or WHEP resource at this address.');
    const endpoint = this.endpoints[route.protocol];
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
    const attempt = async (): Promise<SignallingResponse> => {
      const room = this.rooms.find(credential.meetingID);
      if (room) return this.serve({ endpoint, route, request, credential, room });
      if (mayForward) return this.absent.forward(credential.meetingID, route, request);
      throw await this.absent.explain(route, request.requestID, notHeld());
    };
    return mayForward && request.method === 'POST' && route.key === undefined
      ? this.offers.untilHeld(credential.tenant, attempt)
      : attempt();
  }

  /** This node may hold the room but not the session or playback, which may have ended or not been opened yet. */
  private async serve(call: LocalCall): Promise<SignallingResponse> {
    try {
      return await this.answer(call);
    } catch (error) {
      const { route, request } = call;
      const isUnknown = error instanceof ServiceError && error.reason === 'not_found';
      if (!isUnknown || route.key !== undefined) throw error;
      throw await this.absent.explain(route, request.requestID, error);
    }
  }

  /** Answers on the node that holds the room. */
  private async answer(call: LocalCall): Promise<SignallingResponse> {
    if (call.route.extension) return this.extend(call);
    switch (call.request.method) {
      case 'POST':
        return this.post(call);
      case 'PATCH':
        return this.patch(call);
      case 'DELETE':
        return this.delete(call);
      default:
        return jsonResponse(200, call.endpoint.describe(call.room, call.route.resourceID));
    }
  }

  private async post({ endpoint, route, request, credential, room }: LocalCall): Promise<SignallingResponse> {
    requireType(request, sdpType);
    const { peer, answer } = await endpoint.open(room, route.resourceID, request, credential);
    const location = `${this.urls.publicUrl}${signallingPath({ ...route, key: peer.key })}`;
    const links = linkHeader(this.iceServers.link(route.resourceID), endpoint.links?.(location));
    const headers = { 'Content-Type': sdpType, Location: location, ETag: peer.etag, ...links };
    return { status: 201, headers, body: answer };
  }

  private async extend(call: LocalCall): Promise<SignallingResponse> {
    const { endpoint, route, request, room } = call;
    livePeer(call);
    if (!endpoint.extend) throw new ServiceError('not_found', 'There is no WHIP or WHEP resource at this address.');
    const { publicUrl, internalUrl } = this.urls;
    return endpoint.extend(room, { route, request, internalUrl, sessionUrl: `${publicUrl}${signallingPath(route)}` });
  }

  private async patch(call: LocalCall): Promise<SignallingResponse> {
    const peer = livePeer(call);
    requireType(call.request, fragmentType);
    const fragment = parseSdpFragment(call.request.body);
    const decision = decidePatch(parseIfMatch(call.request.headers['if-match']), fragment, peer);
    switch (decision) {
      case 'trickle':
        // An ICE-lite node sends no checks. It learns the peer's addresses from the peer's checks.
        return empty(204);
      case 'restart':
        return this.restart(peer, fragment, call.route);
      case 'precondition_required':
        throw new ServiceError('precondition_required', 'If-Match is missing. Send the ETag of the ICE session.');
      case 'precondition_failed':
        throw new ServiceError(
          'precondition_failed',
          'If-Match is not the ETag of the current ICE session. Send the latest ETag.',
        );
    }
  }

  /** The peer gathers candidates again, so the answer has new TURN credentials. */
  private async restart(
    peer: SignalledPeer,
    fragment: SdpFragment,
    { resourceID }: SignallingRoute,
  ): Promise<SignallingResponse> {
    const remote = restartCredentials(fragment);
    if (!remote) throw new ServiceError('malformed_sdp', 'An ICE restart needs "ice-ufrag" and "ice-pwd" lines.');
    const ice = await peer.restartIce(remote);
    const body = buildSdpFragment(ice, peer.taggedSection);
    const links = linkHeader(this.iceServers.link(resourceID));
    return { status: 200, headers: { 'Content-Type': fragmentType, ETag: peer.etag, ...links }, body };
  }

  /** Ignores `If-Match`. A repeated DELETE succeeds. */
  private async delete(call: LocalCall): Promise<SignallingResponse> {
    const { endpoint, room, route, request, credential } = call;
    const key = route.key ?? '';
    const openedBy = room.farewellOf(key);
    if (openedBy !== undefined) {
      requireOpener(credential, openedBy);
      return empty(200);
    }
    livePeer(call);
    await endpoint.leave(room, route.resourceID, key, request.requestID);
    return empty(200);
  }

  private verify(endpoint: Endpoint, route: SignallingRoute, { headers }: Head): Promise<MediaCredential> {
    return verifyCredential(this.verifier, headers['authorization'], {
      purpose: endpoint.purpose,
      resourceID: route.resourceID,
      mayBeExpired: route.key !== undefined,
    });
  }

  /**
   * Returns TURN credentials only for the endpoint URL (RFC 9725 section 4.6) and a valid token: a preflight has none, and
   * an expired token still opens session URLs.
   */
  private async options(endpoint: Endpoint, route: SignallingRoute, request: Head): Promise<SignallingResponse> {
    const accept: Record<string, string> =
      route.key === undefined ? { 'Accept-Post': sdpType } : { 'Accept-Post': sdpType, 'Accept-Patch': fragmentType };
    const isPreflight = request.headers['access-control-request-method'] !== undefined;
    const mayHaveServers = !isPreflight && route.key === undefined;
    const isAuthorised = mayHaveServers && (await this.verify(endpoint, route, request).then(Boolean, () => false));
    const links = isAuthorised ? linkHeader(this.iceServers.link(route.resourceID)) : {};
    return empty(200, { Allow: allowedMethods(route).join(', '), ...accept, ...links });
  }

  private note(error: unknown, { method, path, requestID }: Head): ServiceError {
    const failure = toServiceError(error);
    const fields = { requestID, method, endpoint: path.split('/')[1], reason: failure.reason };
    if (failure.reason === 'internal_error') this.logger.error({ ...fields, err: error }, 'signalling failed');
    else this.logger.info(fields, failure.message);
    return failure;
  }
}

function linkHeader(...links: readonly (string | undefined)[]): Record<string, string> {
  const present = links.filter(link => link !== undefined);
  return present.length > 0 ? { Link: present.join(', ') } : {};
}

function wantsDescription(endpoint: Endpoint, route: SignallingRoute, { headers }: Head): boolean {
  const isAsked = (headers['accept'] ?? '').includes('application/json');
  return isAsked && endpoint.protocol === 'whep' && route.key === undefined;
}

/** GET and HEAD confirm the address and reveal nothing about the resource (RFC 9725 section 4.1). */
function read(endpoint: Endpoint, route: SignallingRoute, method: string): SignallingResponse {
  const isProbe = method === 'HEAD' && endpoint.protocol === 'whep' && route.key === undefined;
  return isProbe ? empty(200, { 'Content-Type': sdpType }) : empty(204);
}

function livePeer({ endpoint, room, route, credential }: LocalCall): SignalledPeer {
  const peer = endpoint.find(room, route.resourceID, route.key ?? '');
  if (!peer && credential.isExpired)
    throw new ServiceError('token_expired', 'The token has expired. Request a new one.');
  if (!peer) throw sessionUrlIsOver();
  requireOpener(credential, peer.openedBy);
  return peer;
}

/** An expired token is accepted only for the session that it opened. */
function requireOpener({ isExpired, digest }: MediaCredential, openedBy: string): void {
  if (isExpired && digest !== openedBy)
    throw new ServiceError('token_expired', 'The token has expired. Request a new one.');
}
