import type { IncomingMessage, ServerResponse } from 'node:http';
import { context, type Span } from '@opentelemetry/api';
import { failSpan, startSpan } from './spans.js';

/** What others set on a request: its id, and by Express which route answers it and where that is mounted. */
type TracedRequest = IncomingMessage & { id?: unknown; baseUrl?: string; route?: unknown };
type HttpTracing = (request: TracedRequest, response: ServerResponse, next: () => void) => void;

/** An audience fetches segments by the thousand, and an orchestrator asks again and again. */
const untracedPaths = /^\/(?:hls|health|healthz|readyz|metrics)(?:\/|\?|$)/;

/**
 * One span for each request, in the caller's trace when it sent one (`traceparent`). It has the route's template,
 * never the path, a query or a header: those hold ids and secrets. Goes behind whatever sets `request.id`.
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

/** e.g. `/v1/meetings/:meetingID/external-sessions`; undefined where no route answered. */
function routeOf({ route, baseUrl = '' }: TracedRequest): string | undefined {
  if (typeof route !== 'object' || route === null || !('path' in route)) return undefined;
  return typeof route.path === 'string' ? `${baseUrl}${route.path}` : undefined;
}
