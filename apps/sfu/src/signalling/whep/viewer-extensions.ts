import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ServiceError, type SignallingResponse } from '@rtms/contracts';
import { z } from '@rtms/config';
import type { Clock } from '@rtms/clock';
import { checkValue } from '@rtms/http';
import type { Request, Response } from 'express';
import { parseJson, parseLayerWish } from '../../rooms/layer-wish.js';
import type { Viewer } from '../../rooms/viewer.js';
import {
  type EventSink,
  type ViewerEvents,
  type ViewerEventType,
  viewerEventTypes,
} from '../../rooms/viewer-events.js';
import { empty } from '../responses.js';
import type { ExtensionRequest } from '../endpoint.js';

/** Internal header: the URL of the node that serves the event stream. Clients never see it. */
export const streamOriginHeader = 'X-Rtms-Stream-Origin';

const urn = 'urn:ietf:params:whep:ext:core';

/** `Link` entries for the extensions below a viewer's session URL. */
export function extensionLinks(sessionUrl: string): string {
  return [
    `<${sessionUrl}/events>; rel="${urn}:server-sent-events"; events="${viewerEventTypes.join(',')}"`,
    `<${sessionUrl}/layer>; rel="${urn}:layer"`,
  ].join(', ');
}

interface ExtensionCall extends ExtensionRequest {
  viewer: Viewer;
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

/** Ignores unknown event names. An empty list or an empty body selects all events. */
function parseTypes(body: string): ViewerEventType[] {
  if (body.trim() === '') return [...viewerEventTypes];
  const list = checkValue(types, parseJson(body));
  if (!list.success) throw new ServiceError('invalid_request', 'The body must be a JSON array of event names.');
  return list.data.length === 0 ? [...viewerEventTypes] : viewerEventTypes.filter(type => list.data.includes(type));
}

function serveStream({ viewer, request, internalUrl }: ExtensionCall, stream: string): SignallingResponse {
  if (request.method === 'DELETE') {
    viewer.events.unsubscribe(stream);
    return empty(200);
  }
  if (!viewer.events.has(stream))
    throw new ServiceError('not_found', 'No such event stream. POST to /events to open one.');
  return empty(200, { 'Content-Type': 'text/event-stream', [streamOriginHeader]: internalUrl });
}

/** Some proxies close a response after less than a minute of silence. */
const heartbeatMs = 15_000;

const head = { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store', 'X-Accel-Buffering': 'no' };

/** Writes a viewer's events as `text/event-stream` until either side closes the stream. */
export function sendEvents(response: Response, events: ViewerEvents, stream: string, clock: Clock): void {
  const sink: EventSink = {
    write: (type, data) => response.write(`event: ${type}\ndata: ${JSON.stringify(data)}\n\n`),
    end: () => response.end(),
  };
  response.writeHead(200, head);
  response.flushHeaders();
  const heartbeat = clock.every(heartbeatMs, () => response.write(':\n\n'));
  const detach = events.attach(stream, sink);
  response.once('close', () => {
    heartbeat.cancel();
    detach();
  });
}

/** Proxies the event stream of the node that holds the room. A bus reply is a single message, so it cannot stream. */
export async function proxyEvents(request: Request, response: Response, origin: string): Promise<void> {
  const ended = new AbortController();
  response.once('close', () => ended.abort());
  const headers = { authorization: request.headers.authorization ?? '' };
  const upstream = await fetch(`${origin}${request.path}`, { headers, signal: ended.signal });
  response.writeHead(upstream.status, upstream.ok ? head : { 'Content-Type': 'application/json; charset=utf-8' });
  response.flushHeaders();
  if (!upstream.body) return void response.end();
  // Either side may close the stream at any time. The viewer then opens a new one.
  await pipeline(Readable.fromWeb(upstream.body as never), response).catch(() => response.end());
}
