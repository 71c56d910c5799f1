import type { NestExpressApplication } from '@nestjs/platform-express';
import { HttpMetrics } from '@rtms/health';
import { ErrorEnvelopeFilter, mediaHeaders, requestID } from '@rtms/http';
import { httpLogging, type Logger } from '@rtms/logging';
import { httpTracing } from '@rtms/tracing';
import type { RequestHandler } from 'express';

/** What the service and its tests share; the application is made with `bodyParser: false`. */
export function configureHttp(app: NestExpressApplication, logger: Logger): void {
  app.set('etag', false);
  app.disable('x-powered-by');
  app.use(app.get(HttpMetrics, { strict: false }).middleware());
  app.use(requestID());
  app.use(mediaHeaders());
  app.use(httpTracing());
  app.use(exceptDelivery(httpLogging(logger)));
  app.useGlobalFilters(new ErrorEnvelopeFilter(logger));
}

/**
 * An audience fetches thousands of segments a second: a line for each would cost as much as answering it, and say
 * nothing. What fails is logged by the filter.
 */
function exceptDelivery(logRequest: RequestHandler): RequestHandler {
  return (request, response, next) => {
    if (request.url.startsWith('/hls/')) next();
    else logRequest(request, response, next);
  };
}
