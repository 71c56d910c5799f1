import { Catch, type ArgumentsHost } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { dashboardApi, ServiceError } from '@rtms/contracts';
import { HttpMetrics } from '@rtms/health';
import { ErrorEnvelopeFilter, requestID } from '@rtms/http';
import { httpLogging, NestLogger, type Logger } from '@rtms/logging';
import { httpTracing } from '@rtms/tracing';
import type { RequestHandler } from 'express';
import helmet from 'helmet';
import { Authenticator } from './accounts/authentication/authenticator.js';
import { cors, varyByOrigin } from './platform/auth/origin-policy.js';
import { SessionAuthenticator } from './accounts/sign-in/session-authenticator.js';
import { dashboardPage, startPage } from './dashboard/page/dashboard-page.js';
import { GATEWAY_CONFIG, type GatewayConfig } from './gateway.config.js';
import { GatewayModule } from './gateway.module.js';
import { ThumbnailsService } from './media/external-sessions/thumbnails.service.js';
import { NodeRegistry } from './media/nodes/node-registry.js';
import { nameChanges } from './platform/changes/announcing-query-runner.js';
import { databaseUnavailable, isDatabaseUnavailable } from './platform/database/database-errors.js';
import { RateLimiterService } from './platform/limits/rate-limiter.service.js';
import { docsPage } from './platform/openapi/docs-page.js';
import { jsonBody, parseQuery } from './platform/http/request-input.js';
import { ActionTable, routeActions } from './platform/http/route-actions.js';
import { collectRoutes } from './platform/http/route-table.js';
import { DtoValidationPipe } from './platform/http/validation.pipe.js';
import type { GatewayRuntime } from './platform/runtime/runtime.module.js';

/** Creates the whole gateway, for the service and for tests alike. */
export async function createGateway(runtime: GatewayRuntime): Promise<NestExpressApplication> {
  const app = await NestFactory.create<NestExpressApplication>(GatewayModule.forRoot(runtime), {
    bodyParser: false,
    abortOnError: false,
    logger: new NestLogger(runtime.logger),
  });
  configureHttp(app, runtime.logger);
  return app.init();
}

/** Installs the middleware in its order: it authenticates a request before it reads the body, and finds the action after that. */
function configureHttp(app: NestExpressApplication, logger: Logger): void {
  const authenticator = app.get(Authenticator);
  const limiter = app.get(RateLimiterService, { strict: false });
  app.set('trust proxy', app.get<GatewayConfig>(GATEWAY_CONFIG).trustedProxies ?? false);
  app.set('case sensitive routing', true);
  app.set('query parser', parseQuery);
  app.disable('x-powered-by');
  app.use(app.get(HttpMetrics, { strict: false }).middleware());
  app.use(requestID(), nameChanges(), httpTracing(), httpLogging(logger), helmet(), varyByOrigin);
  app.use(startPage);
  app.use('/docs', docsPage());
  app.use(['/v1', '/admin', dashboardApi], uncached);
  app.use('/v1', cors);
  app.use(requireText);
  app.use(
    '/dashboard',
    dashboardPage(app.get(GATEWAY_CONFIG), () => nodeAddresses(app)),
  );
  app.use('/v1', limiter.address());
  app.use(app.get(ThumbnailsService, { strict: false }).answer());
  app.use('/v1', authenticator.account(), limiter.key());
  app.use('/admin', limiter.address(), authenticator.administrator());
  app.use(dashboardApi, limiter.address(), app.get(SessionAuthenticator, { strict: false }).dashboard());
  app.use(jsonBody(), routeActions(onDemand(() => new ActionTable(collectRoutes(app)))));
  app.useGlobalPipes(new DtoValidationPipe());
  app.useGlobalFilters(new GatewayErrorFilter(logger));
}

/** Answers 503 with `Retry-After` when PostgreSQL is unavailable. */
@Catch()
class GatewayErrorFilter extends ErrorEnvelopeFilter {
  override catch(error: unknown, host: ArgumentsHost): void {
    super.catch(isDatabaseUnavailable(error) ? databaseUnavailable() : error, host);
  }
}

/** The addresses that the page publishes to and plays from. */
function nodeAddresses(app: NestExpressApplication): string[] {
  const nodes = app.get(NodeRegistry, { strict: false }).list();
  return nodes.map(({ publicUrl }) => publicUrl);
}

/** No cache may store an answer to a credential (RFC 9111, sections 5.2.2.5 and 5.2.2.7). */
const uncached: RequestHandler = (_request, response, next) => {
  response.setHeader('Cache-Control', 'private, no-store');
  next();
};

/** Refuses NUL, which PostgreSQL cannot store, and anything that is not UTF-8. */
const requireText: RequestHandler = ({ url }, _response, next) => {
  if (url.includes('%') && !isText(url))
    throw new ServiceError('invalid_request', 'The address must be UTF-8 without NUL characters.');
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
