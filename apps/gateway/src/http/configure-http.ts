import type { NestExpressApplication } from '@nestjs/platform-express';
import { ServiceError } from '@rtms/contracts';
import { requestID } from '@rtms/http';
import { httpLogging, type Logger } from '@rtms/logging';
import type { RequestHandler } from 'express';
import helmet from 'helmet';
import { Authenticator } from '../auth/authenticator.js';
import { cors, varyByOrigin } from '../auth/cors.js';
import { GATEWAY_CONFIG, type GatewayConfig } from '../gateway.config.js';
import { RateLimiter } from '../rate-limits/rate-limiter.service.js';
import { docsPage } from '../openapi/docs-page.js';
import { ActionTable } from './action-table.js';
import { GatewayErrorFilter } from './gateway-error.filter.js';
import { jsonBody } from './json-body.js';
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
  app.disable('x-powered-by');
  app.use(requestID(), httpLogging(logger), helmet(), varyByOrigin);
  app.use('/docs', docsPage());
  app.use('/v1', cors());
  app.use(refuseNul);
  app.use('/v1', limiter.address(), authenticator.account(), limiter.key());
  app.use('/admin', limiter.address(), authenticator.administrator());
  app.use(jsonBody(), routeActions(onDemand(() => new ActionTable(collectRoutes(app)))));
  app.useGlobalPipes(new DtoValidationPipe());
  app.useGlobalFilters(new GatewayErrorFilter(logger));
}

/** No path or query of ours has a NUL, and PostgreSQL cannot take one. */
const refuseNul: RequestHandler = (request, _response, next) => {
  if (request.url.includes('%00'))
    throw new ServiceError('invalid_request', 'The address has characters that are no text.');
  next();
};

function onDemand<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}
