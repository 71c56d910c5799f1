import type { IncomingMessage, ServerResponse } from 'node:http';
import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import { pinoHttp, type HttpLogger } from 'pino-http';

const quietPaths = /^\/(?:health|metrics)\b/;

/**
 * One line for each request: method, path, status, duration, request id. Headers and query strings are
 * left out altogether, signed paths are shortened by the logger.
 */
export function httpLogging(logger: Logger): HttpLogger {
  return pinoHttp({
    logger,
    quietReqLogger: true,
    customAttributeKeys: { reqId: 'requestID', responseTime: 'durationMs' },
    genReqId: request => (request as { id?: string }).id ?? randomUUID(),
    autoLogging: { ignore: request => quietPaths.test(request.url ?? '') },
    customLogLevel: (_request, response) => (response.statusCode >= 500 ? 'warn' : 'info'),
    customSuccessMessage: (request, response) => `${request.method} ${pathOf(request)} ${response.statusCode}`,
    customErrorMessage: (request, response) => `${request.method} ${pathOf(request)} ${response.statusCode}`,
    wrapSerializers: false,
    serializers: {
      req: (request: IncomingMessage) => ({ method: request.method, path: pathOf(request) }),
      res: (response: ServerResponse) => ({ status: response.statusCode }),
    },
  });
}

/** Express shortens `url` inside mounted routers; `originalUrl` stays whole. */
function pathOf(request: IncomingMessage): string {
  const url = (request as { originalUrl?: string }).originalUrl ?? request.url ?? '';
  return url.split('?', 1)[0] ?? '';
}
