import type { IncomingMessage, ServerResponse } from 'node:http';
import { context, type Span } from '@opentelemetry/api';
import { failSpan, startSpan } from './spans.js';

/** `id` comes from `requestID()`; `route` and `baseUrl` (its mount path) come from Express. */
type TracedRequest = IncomingMessage & { id?: unknown; baseUrl?: string; route?: unknown };
type HttpTracing = (request: TracedRequest, response: ServerResponse, next: () => void) => void;

/** Segment requests and health checks are too frequent to trace. */
const untracedPaths = /^\/(?:hls|health|healthz|readyz|metrics)(?:\/|\?|$)/;

/**
 * Creates one span per request, as a child of the caller's `traceparent` if it is present. The span has the route template but no
 * path, query or header, because these hold ids and secrets. Register it after the middleware that sets `request.id`.
 */
export function httpTracing(): HttpTracing {
  return (request, response, next) => {
    if (untracedPaths.test(request.url ?? '')) {
      next();
      return;
    }
    const { span, inside } = startSpan(describe(request));
    response.once('close', () => end(span, request, response));
    context.with(inside, next);
  };
}

function describe({ method = 'GET', headers, id }: TracedRequest): Parameters<typeof startSpan>[0] {
  const { traceparent, tracestate } = headers;
  return {
    name: method,
    kind: 'SERVER',
    attributes: { 'http.request.method': method, ...(typeof id === 'string' && { 'rtms.request_id': id }) },
    carrier: {
      ...(typeof traceparent === 'string' && { traceparent }),
      ...(typeof tracestate === 'string' && { tracestate }),
    },
  };
}

function end(span: Span, request: TracedRequest, response: ServerResponse): void {
  const route = routeOf(request);
  if (route !== undefined) {
    span.updateName(`${request.method} ${route}`);
    span.setAttribute('http.route', route);
  }
  span.setAttribute('http.response.status_code', response.statusCode);
  if (response.statusCode >= 500) failSpan(span, String(response.statusCode));
  span.end();
}

/** For example `/v1/meetings/:meetingID/external-sessions`; undefined if no route matched. */
function routeOf({ route, baseUrl = '' }: TracedRequest): string | undefined {
  if (typeof route !== 'object' || route === null || !('path' in route)) return undefined;
  return typeof route.path === 'string' ? `${baseUrl}${route.path}` : undefined;
}
