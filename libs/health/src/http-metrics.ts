import type { Closeable } from '@rtms/bus';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Request, RequestHandler } from 'express';
import { Counter, Histogram } from 'prom-client';
import type { MetricsRegistry } from './metrics-registry.js';

/** A request that was answered, or whose client disconnected. */
export interface DoneHttpRequest {
  method: string;
  /** The declared route, e.g. `/whip/:resourceID`; `other` if no route matches. */
  route: string;
  status: number;
  /** The requested path. Do not use it as a label. */
  path: string;
  /** Bytes sent, including headers. */
  bytes: number;
}

type HttpListener = (done: DoneHttpRequest) => void;

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
/** The configured limits: for the whole server, and for one client address. */
const connectionLimits = ['maxConnections', 'maxConnectionsPerAddress'] as const;

const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** The class of a status, e.g. `2xx`. */
export function statusClass(status: number): string {
  return status >= 100 && status < 600 ? `${Math.floor(status / 100)}xx` : 'other';
}

/** Measures request durations by declared route, never by the requested path, so that labels stay few. */
export class HttpMetrics {
  private readonly listeners = new Set<HttpListener>();
  private readonly durations: Histogram<'method' | 'route' | 'status_class'>;
  private readonly refused: Counter<'limit'>;

  /** `mounts`: paths without routes whose subpaths one middleware answers, e.g. `/hls`. */
  constructor(
    registry: MetricsRegistry,
    private readonly mounts: readonly string[] = [],
  ) {
    this.durations = new Histogram({
      name: 'rtms_http_request_duration_seconds',
      help: 'Duration of HTTP requests.',
      labelNames: ['method', 'route', 'status_class'],
      buckets,
      registers: [registry],
    });
    this.refused = new Counter({
      name: 'rtms_http_connections_refused_total',
      help: 'Connections that a connection limit refused.',
      labelNames: ['limit'],
      registers: [registry],
    });
    for (const limit of connectionLimits) this.refused.inc({ limit }, 0);
  }

  /** Counts a connection that was closed before its request was read. */
  noteRefusedConnection(limit: (typeof connectionLimits)[number]): void {
    this.refused.inc({ limit });
  }

  /** Install it first, so that early refusals count too. */
  middleware(): RequestHandler {
    return (request, response, next) => {
      this.follow(request, response, request.originalUrl);
      next();
    };
  }

  /** Measures a request until its response is sent or the client disconnects. */
  follow(request: IncomingMessage & Partial<Pick<Request, 'route'>>, response: ServerResponse, url: string): void {
    const start = performance.now();
    const { socket } = request;
    const sentBefore = socket.bytesWritten;
    const [path = ''] = url.split('?', 1);
    response.once('close', () => {
      const bytes = Math.max(0, socket.bytesWritten - sentBefore);
      const done = { method: methodOf(request), route: this.routeOf(request, path), status: response.statusCode };
      if (!isEventStream(response)) this.observe(done, (performance.now() - start) / 1000);
      for (const listener of this.listeners) listener({ ...done, path, bytes });
    });
  }

  /** Calls back with each finished request. */
  onDone(listener: HttpListener): Closeable {
    this.listeners.add(listener);
    return { close: () => Promise.resolve(void this.listeners.delete(listener)) };
  }

  private observe({ method, route, status }: Omit<DoneHttpRequest, 'path' | 'bytes'>, seconds: number): void {
    this.durations.observe({ method, route, status_class: statusClass(status) }, seconds);
  }

  private routeOf(request: Partial<Pick<Request, 'route'>>, path: string): string {
    const { path: template } = (request.route ?? {}) as { path?: unknown };
    if (typeof template === 'string' && isDeclared(template)) return template;
    return this.mounts.find(mount => path === mount || path.startsWith(`${mount}/`)) ?? 'other';
  }
}

/** Nest declares catch-all routes for middleware, which are not routes of the application. */
function isDeclared(template: string): boolean {
  return template.startsWith('/') && !template.includes('*');
}

function methodOf({ method = '' }: IncomingMessage): string {
  return methods.includes(method) ? method : 'other';
}

/** An event stream stays open while the viewer watches, so its duration is not a response time. */
function isEventStream(response: ServerResponse): boolean {
  return String(response.getHeader('content-type')).startsWith('text/event-stream');
}
