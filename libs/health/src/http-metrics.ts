import type { Closeable } from '@rtms/bus';
import type { Request, RequestHandler, Response } from 'express';
import { Counter, Histogram } from 'prom-client';
import type { MetricsRegistry } from './metrics-registry.js';

/** A request that was answered, or whose caller left. */
export interface DoneHttpRequest {
  method: string;
  /** As the application declares it, e.g. `/whip/:resourceID`; `other` where it declares nothing. */
  route: string;
  status: number;
  /** Of the path as it was asked for; not for labels. */
  path: string;
  /** Sent, with headers. */
  bytes: number;
}

type HttpListener = (done: DoneHttpRequest) => void;

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
/** As configured: of the whole server, and of one client address. */
const connectionLimits = ['maxConnections', 'maxConnectionsPerAddress'] as const;

const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** e.g. `2xx` */
export function statusClass(status: number): string {
  return status >= 100 && status < 600 ? `${Math.floor(status / 100)}xx` : 'other';
}

/** How long requests take, by the routes that the application declares: never by what a caller wrote. */
export class HttpMetrics {
  private readonly listeners = new Set<HttpListener>();
  private readonly durations: Histogram<'method' | 'route' | 'status_class'>;
  private readonly refused: Counter<'limit'>;

  /** `mounts`: paths that have no routes, since all below them is answered in one place, e.g. `/hls`. */
  constructor(
    registry: MetricsRegistry,
    private readonly mounts: readonly string[] = [],
  ) {
    this.durations = new Histogram({
      name: 'rtms_http_request_duration_seconds',
      help: 'How long HTTP requests took to answer.',
      labelNames: ['method', 'route', 'status_class'],
      buckets,
      registers: [registry],
    });
    this.refused = new Counter({
      name: 'rtms_http_connections_refused_total',
      help: 'Connections that were closed at once, by the limit that they were above.',
      labelNames: ['limit'],
      registers: [registry],
    });
    for (const limit of connectionLimits) this.refused.inc({ limit }, 0);
  }

  /** A connection was closed before anything was read of it. */
  noteRefusedConnection(limit: (typeof connectionLimits)[number]): void {
    this.refused.inc({ limit });
  }

  /** Goes before everything else, so that what is refused early counts too. */
  middleware(): RequestHandler {
    return (request, response, next) => {
      const start = performance.now();
      const sentBefore = request.socket.bytesWritten;
      const [path = ''] = request.originalUrl.split('?', 1);
      response.once('close', () => {
        const bytes = Math.max(0, request.socket.bytesWritten - sentBefore);
        const done = { method: methodOf(request), route: this.routeOf(request, path), status: response.statusCode };
        if (!isEventStream(response)) this.observe(done, (performance.now() - start) / 1000);
        for (const listener of this.listeners) listener({ ...done, path, bytes });
      });
      next();
    };
  }

  /** Calls back with each request when it is over. */
  onDone(listener: HttpListener): Closeable {
    this.listeners.add(listener);
    return { close: () => Promise.resolve(void this.listeners.delete(listener)) };
  }

  private observe({ method, route, status }: Omit<DoneHttpRequest, 'path' | 'bytes'>, seconds: number): void {
    this.durations.observe({ method, route, status_class: statusClass(status) }, seconds);
  }

  private routeOf(request: Request, path: string): string {
    const { path: template } = (request.route ?? {}) as { path?: unknown };
    if (typeof template === 'string' && isDeclared(template)) return template;
    return this.mounts.find(mount => path === mount || path.startsWith(`${mount}/`)) ?? 'other';
  }
}

/** Nest has catch-all routes of its own for middleware. */
function isDeclared(template: string): boolean {
  return template.startsWith('/') && !template.includes('*');
}

function methodOf({ method }: Request): string {
  return methods.includes(method) ? method : 'other';
}

/** Open for as long as the viewer watches: that is no duration of an answer. */
function isEventStream(response: Response): boolean {
  return String(response.getHeader('content-type')).startsWith('text/event-stream');
}
