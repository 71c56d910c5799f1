import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Clock } from '@rtms/clock';
import type { Request, Response } from 'express';
import type { EventSink, ViewerEvents } from '../rooms/viewer-events.js';

/** Some proxies close a response that is silent for a minute, some sooner. */
const heartbeatMs = 15_000;

const head = { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store', 'X-Accel-Buffering': 'no' };

/** Writes a viewer's events as `text/event-stream` until either side ends it. */
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

/** Passes on a stream of the node that holds the room, since a reply on the bus is one piece. */
export async function proxyEvents(request: Request, response: Response, origin: string): Promise<void> {
  const ended = new AbortController();
  response.once('close', () => ended.abort());
  const headers = { authorization: request.headers.authorization ?? '' };
  const upstream = await fetch(`${origin}${request.path}`, { headers, signal: ended.signal });
  response.writeHead(upstream.status, upstream.ok ? head : { 'Content-Type': 'application/json; charset=utf-8' });
  response.flushHeaders();
  if (!upstream.body) return void response.end();
  // Either side may end it at any time; the viewer opens it anew.
  await pipeline(Readable.fromWeb(upstream.body as never), response).catch(() => response.end());
}
