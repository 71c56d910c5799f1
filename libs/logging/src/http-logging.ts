import type { IncomingMessage, ServerResponse } from 'node:http';
import { context } from '@opentelemetry/api';
import type { Logger } from 'pino';

/** What others set on a request: its id, and by Express the URL as it came. */
type LoggedRequest = IncomingMessage & { id?: unknown; originalUrl?: string };
type HttpLogging = (request: LoggedRequest, response: ServerResponse, next: () => void) => void;

const quietPaths = /^\/(?:health|metrics)\b/;

/**
 * One line for each request: method, path, status, duration, request id. Headers and query strings are
 * left out altogether, signed paths are shortened by the logger. Goes behind whatever sets `request.id`.
 */
export function httpLogging(logger: Logger): HttpLogging {
  // None of the members here has a secret's name; what looks like one is taken out of the finished line as ever.
  const lines = logger.child({}, { redact: [] });
  return (request, response, next) => {
    if (!quietPaths.test(request.url ?? '')) {
      const startedAt = performance.now();
      const log = (): void => logRequest(lines, request, response, Math.round(performance.now() - startedAt));
      // A response that closes does so outside of the request's trace.
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

/** Express shortens `url` inside mounted routers; `originalUrl` stays whole. */
function pathOf({ originalUrl, url = '' }: LoggedRequest): string {
  return (originalUrl ?? url).split('?', 1)[0] ?? '';
}
