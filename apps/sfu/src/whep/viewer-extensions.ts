import { ServiceError, type SignallingRequest, type SignallingResponse } from '@rtms/contracts';
import { z } from '@rtms/config';
import { parseLayerWish } from '../rooms/layer-wish.js';
import type { Viewer } from '../rooms/viewer.js';
import { viewerEventTypes, type ViewerEventType } from '../rooms/viewer-events.js';
import { empty } from '../signalling/responses.js';
import type { SignallingRoute } from '../signalling/signalling-route.js';

/** Names the node whose event stream a reply stands for; never leaves the service. */
export const streamOriginHeader = 'X-Rtms-Stream-Origin';

const urn = 'urn:ietf:params:whep:ext:core';

/** What the 201 says of the extensions below a viewer's session URL. */
export function extensionLinks(sessionUrl: string): string {
  return [
    `<${sessionUrl}/events>; rel="${urn}:server-sent-events"; events="${viewerEventTypes.join(',')}"`,
    `<${sessionUrl}/layer>; rel="${urn}:layer"`,
  ].join(', ');
}

export interface ExtensionCall {
  viewer: Viewer;
  route: SignallingRoute;
  request: SignallingRequest;
  /** The viewer's session URL. */
  sessionUrl: string;
  /** Where other nodes reach this one. */
  internalUrl: string;
}

/** Serves `…/events`, `…/events/<stream>` and `…/layer` of a viewer. */
export async function serveExtension(call: ExtensionCall): Promise<SignallingResponse> {
  if (call.route.extension === 'layer') return selectLayer(call);
  return call.route.stream === undefined ? subscribe(call) : serveStream(call, call.route.stream);
}

async function selectLayer({ viewer, request }: ExtensionCall): Promise<SignallingResponse> {
  await viewer.prefer(request.method === 'DELETE' ? undefined : parseLayerWish(request.body));
  return empty(200);
}

function subscribe({ viewer, request, sessionUrl }: ExtensionCall): SignallingResponse {
  const stream = viewer.events.subscribe(parseTypes(request.body));
  return empty(201, { Location: `${sessionUrl}/events/${stream}` });
}

const types = z.array(z.string()).max(32);

/** Events of later drafts are left out; an empty list, or no body, means all. */
function parseTypes(body: string): ViewerEventType[] {
  if (body.trim() === '') return [...viewerEventTypes];
  const list = types.safeParse(parseJson(body));
  if (!list.success) throw new ServiceError('invalid_request', 'The body must be a JSON list of event names.');
  return list.data.length === 0 ? [...viewerEventTypes] : viewerEventTypes.filter(type => list.data.includes(type));
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function serveStream({ viewer, request, internalUrl }: ExtensionCall, stream: string): SignallingResponse {
  if (request.method === 'DELETE') {
    viewer.events.unsubscribe(stream);
    return empty(200);
  }
  if (!viewer.events.has(stream)) throw new ServiceError('not_found', 'There is no such event stream.');
  return empty(200, { 'Content-Type': 'text/event-stream', [streamOriginHeader]: internalUrl });
}
