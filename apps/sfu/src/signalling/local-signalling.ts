import { ServiceError, type SignallingRequest, type SignallingResponse } from '@rtms/contracts';
import type { Room } from '../rooms/room.js';
import type { SignalledPeer } from '../rooms/signalled-peer.js';
import { buildSdpFragment, parseSdpFragment, restartCredentials, type SdpFragment } from '../sdp/sdpfrag.js';
import { sessionUrlIsOver } from './absent-resources.js';
import type { Credential } from './credential.js';
import type { Endpoint } from './endpoint.js';
import { parseIfMatch } from './if-match.js';
import { decidePatch } from './patch-decision.js';
import { empty, fragmentType, jsonResponse, sdpType } from './responses.js';
import { signallingPath, type SignallingRoute } from './signalling-route.js';

/** A request that may be served, and the room it is for. */
export interface LocalCall {
  endpoint: Endpoint;
  route: SignallingRoute;
  request: SignallingRequest;
  credential: Credential;
  room: Room;
}

/** Signalling on the node that holds the room. */
export class LocalSignalling {
  constructor(
    private readonly urls: { publicUrl: string; internalUrl: string },
    private readonly links: Record<string, string>,
  ) {}

  async handle(call: LocalCall): Promise<SignallingResponse> {
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
    const links = [this.links['Link'], endpoint.links?.(location)].filter(link => link !== undefined);
    const headers = { 'Content-Type': sdpType, Location: location, ETag: peer.etag };
    return { status: 201, headers: links.length > 0 ? { ...headers, Link: links.join(', ') } : headers, body: answer };
  }

  private async extend(call: LocalCall): Promise<SignallingResponse> {
    const { endpoint, route, request, room } = call;
    livePeer(call);
    if (!endpoint.extend) throw new ServiceError('not_found', 'There is nothing at this address.');
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
        // An ICE-lite node never sends checks: it learns its peer's addresses by theirs.
        return empty(204);
      case 'restart':
        return this.restart(peer, fragment);
      case 'precondition_required':
        throw new ServiceError('precondition_required', 'If-Match with the ETag of the ICE session is needed.');
      case 'precondition_failed':
        throw new ServiceError('precondition_failed', 'If-Match does not name the current ICE session.');
    }
  }

  private async restart(peer: SignalledPeer, fragment: SdpFragment): Promise<SignallingResponse> {
    const remote = restartCredentials(fragment);
    if (!remote) throw new ServiceError('malformed_sdp', 'An ICE restart needs "ice-ufrag" and "ice-pwd".');
    const ice = await peer.restartIce(remote);
    const body = buildSdpFragment(ice, peer.taggedSection);
    return { status: 200, headers: { 'Content-Type': fragmentType, ETag: peer.etag }, body };
  }

  /** `If-Match` is ignored here; a repeated DELETE is done already. */
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
}

function livePeer({ endpoint, room, route, credential }: LocalCall): SignalledPeer {
  const peer = endpoint.find(room, route.resourceID, route.key ?? '');
  if (!peer && credential.isExpired) throw new ServiceError('token_expired', 'The token has expired.');
  if (!peer) throw sessionUrlIsOver();
  requireOpener(credential, peer.openedBy);
  return peer;
}

/** An expired token goes on with the session that it opened, and with nothing else. */
function requireOpener({ isExpired, digest }: Credential, openedBy: string): void {
  if (isExpired && digest !== openedBy) throw new ServiceError('token_expired', 'The token has expired.');
}

function requireType({ headers }: SignallingRequest, wanted: string): void {
  const type = (headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase();
  if (type !== wanted) throw new ServiceError('unsupported_media_type', `The content type must be ${wanted}.`);
}
