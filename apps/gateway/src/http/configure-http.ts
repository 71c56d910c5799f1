import type { NestExpressApplication } from '@nestjs/platform-express';
import { dashboardApi, ServiceError } from '@rtms/contracts';
import { HttpMetrics } from '@rtms/health';
import { requestID } from '@rtms/http';
import { httpLogging, type Logger } from '@rtms/logging';
import { httpTracing } from '@rtms/tracing';
import type { RequestHandler } from 'express';
import helmet from 'helmet';
import { Authenticator } from '../auth/authenticator.js';
import { cors, varyByOrigin } from '../auth/cors.js';
import { SessionAuthenticator } from '../dashboard-sessions/session-authenticator.js';
import { dashboardPage } from '../dashboard-page/dashboard-page.js';
import { GATEWAY_CONFIG, type GatewayConfig } from '../gateway.config.js';
import { NodeRegistry } from '../nodes/node-registry.js';
import { RateLimiter } from '../rate-limits/rate-limiter.service.js';
import { docsPage } from '../openapi/docs-page.js';
import { ActionTable } from './action-table.js';
import { GatewayErrorFilter } from './gateway-error.filter.js';
import { jsonBody } from './json-body.js';
import { parseQuery } from './query-parser.js';
import { routeActions } from './route-actions.js';
import { collectRoutes } from './route-table.js';
import { DtoValidationPipe } from './validation.pipe.js';

/**
 * Everything between the socket and the controllers, in its order: who asks is settled before a body is read, the
 * action after it was. Make the application with `bodyParser: false`.
 */
export function configureHttp(app: NestExpressApplication, logger: Logger): void {
  const authenticator = app.get(Authenticator);
  const limiter = app.get(RateLimiter, { strict: false });
  app.set('trust proxy', app.get<GatewayConfig>(GATEWAY_CONFIG).trustedProxies ?? false);
  app.set('case sensitive routing', true);
  app.set('query parser', parseQuery);
  app.disable('x-powered-by');
  app.use(app.get(HttpMetrics, { strict: false }).middleware());
  app.use(requestID(), httpTracing(), httpLogging(logger), helmet(), varyByOrigin);
  app.use('/docs', docsPage());
  app.use(['/v1', '/admin', dashboardApi], uncached);
  app.use('/v1', cors());
  app.use(requireText);
  app.use(
    '/dashboard',
    dashboardPage(app.get(GATEWAY_CONFIG), () => nodeAddresses(app)),
  );
  app.use('/v1', limiter.address(), authenticator.account(), limiter.key());
  app.use('/admin', limiter.address(), authenticator.administrator());
  app.use(dashboardApi, limiter.address(), app.get(SessionAuthenticator, { strict: false }).dashboard());
  app.use(jsonBody(), routeActions(onDemand(() => new ActionTable(collectRoutes(app)))));
  app.useGlobalPipes(new DtoValidationPipe());
  app.useGlobalFilters(new GatewayErrorFilter(logger));
}

/** Where the page publishes to and plays from. */
function nodeAddresses(app: NestExpressApplication): string[] {
  const nodes = app.get(NodeRegistry, { strict: false }).list();
  return nodes.map(({ publicUrl }) => publicUrl);
}

/** RFC 9111, sections 5.2.2.5 and 5.2.2.7: an answer to one credential is stored by no cache. */
const uncached: RequestHandler = (_request, response, next) => {
  response.setHeader('Cache-Control', 'private, no-store');
  next();
};

/** No path or query of ours has a NUL, which PostgreSQL cannot take, or anything that is no UTF-8. */
const requireText: RequestHandler = ({ url }, _response, next) => {
  if (url.includes('%') && !isText(url))
    throw new ServiceError('invalid_request', 'The address has characters that are no text.');
  next();
};

function isText(url: string): boolean {
  try {
    return !decodeURIComponent(url).includes('\0');
  } catch {
    return false;
  }
}

function onDemand<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}
