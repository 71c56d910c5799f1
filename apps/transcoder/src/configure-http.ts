import type { NestExpressApplication } from '@nestjs/platform-express';
import { systemClock, type Clock } from '@rtms/clock';
import { HttpMetrics } from '@rtms/health';
import { ErrorEnvelopeFilter, limitAddresses, mediaHeaders, requestID, type AddressLimits } from '@rtms/http';
import { httpLogging, type Logger } from '@rtms/logging';
import { httpTracing } from '@rtms/tracing';
import type { RequestHandler } from 'express';
import { allowAnyOrigin } from './delivery/cross-origin.js';

export interface HttpSettings {
  limits: AddressLimits & { trustedProxies: string[] };
  clock: Clock;
}

const unlimited: HttpSettings = {
  limits: { windowSeconds: 60, addressReads: 0, addressWrites: 0, trustedProxies: [] },
  clock: systemClock,
};

/** What the service and its tests share; the application is made with `bodyParser: false`. */
export function configureHttp(
  app: NestExpressApplication,
  logger: Logger,
  { limits, clock }: HttpSettings = unlimited,
): void {
  app.set('etag', false);
  app.set('trust proxy', limits.trustedProxies);
  app.disable('x-powered-by');
  app.use(app.get(HttpMetrics, { strict: false }).middleware());
  app.use(requestID());
  app.use(mediaHeaders());
  app.use(httpTracing());
  app.use(exceptDelivery(httpLogging(logger)));
  app.use(['/hls', '/recordings'], limitAddresses(limits, clock, allowAnyOrigin));
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
