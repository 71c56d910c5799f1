import type { NestExpressApplication } from '@nestjs/platform-express';
import { HttpMetrics } from '@rtms/health';
import { ErrorEnvelopeFilter, limitAddresses, mediaHeaders, requestID } from '@rtms/http';
import { httpLogging, type Logger } from '@rtms/logging';
import { httpTracing } from '@rtms/tracing';
import cors from 'cors';
import type { SfuConfig } from '../sfu.config.js';
import { CLOCK, SFU_CONFIG } from '../sfu.tokens.js';

/** Players and publishers live on any page; they authorise themselves by their token, never by a cookie. */
const crossOrigin = cors({
  origin: '*',
  methods: ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE', 'OPTIONS'],
  allowedHeaders: ['Authorization', 'Content-Type', 'If-Match', 'Idempotency-Key', 'X-Request-Id'],
  exposedHeaders: [
    'Location',
    'ETag',
    'Link',
    'Retry-After',
    'Accept-Post',
    'Accept-Patch',
    'Allow',
    'WWW-Authenticate',
    'X-Request-Id',
  ],
  maxAge: 86_400,
  preflightContinue: true,
});

/** Configures the service, and its tests. Make the application with `bodyParser: false`: `SignallingHttp` reads bodies. */
export function configureHttp(app: NestExpressApplication, logger: Logger): void {
  const { limits } = app.get<SfuConfig>(SFU_CONFIG);
  app.set('etag', false);
  app.set('trust proxy', limits.trustedProxies);
  app.disable('x-powered-by');
  app.use(app.get(HttpMetrics, { strict: false }).middleware());
  app.use(requestID());
  app.use(mediaHeaders());
  app.use(httpTracing());
  app.use(httpLogging(logger));
  app.use(['/whip', '/whep'], crossOrigin, limitAddresses(limits, app.get(CLOCK)));
  app.useGlobalFilters(new ErrorEnvelopeFilter(logger));
}
