import type { IncomingMessage, ServerResponse } from 'node:http';
import { context } from '@opentelemetry/api';
import type { Logger } from 'pino';

/** `id` comes from `requestID()`, `originalUrl` from Express. */
type LoggedRequest = IncomingMessage & { id?: unknown; originalUrl?: string };
type HttpLogging = (request: LoggedRequest, response: ServerResponse, next: () => void) => void;

const quietPaths = /^\/(?:health|metrics)\b/;

/**
 * Logs one line per request: method, path, status, duration in ms and request id. Omits headers and query strings; the logger
 * redacts signed paths. Register it after the middleware that sets `request.id`.
 */
export function httpLogging(logger: Logger): HttpLogging {
  // These fields have no secret names, so redaction by name is off. Redaction by form still applies to the finished line.
  const lines = logger.child({}, { redact: [] });
  return (request, response, next) => {
    if (!quietPaths.test(request.url ?? '')) {
      const startedAt = performance.now();
      const log = (): void => logRequest(lines, request, response, Math.round(performance.now() - startedAt));
      // The `close` event fires outside the request's trace context.
      response.once('close', context.bind(context.active(), log));
    }
    next();
  };
}

function logRequest(logger: Logger, request: LoggedRequest, response: ServerResponse, durationMs: number): void {
  const { id: requestID, method } = request;
  const { statusCode: status } = response;
  const path = pathOf(request);
  const fields = { requestID, req: { method, path }, res: { status }, durationMs };
  logger[status >= 500 ? 'warn' : 'info'](fields, `${method} ${path} ${status}`);
}

/** Express removes the mount path from `url` inside routers, but not from `originalUrl`. */
function pathOf({ originalUrl, url = '' }: LoggedRequest): string {
  return (originalUrl ?? url).split('?', 1)[0] ?? '';
}
