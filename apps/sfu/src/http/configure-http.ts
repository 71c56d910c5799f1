import type { NestExpressApplication } from '@nestjs/platform-express';
import { HttpMetrics } from '@rtms/health';
import { ErrorEnvelopeFilter, mediaHeaders, requestID } from '@rtms/http';
import { httpLogging, type Logger } from '@rtms/logging';
import { httpTracing } from '@rtms/tracing';
import cors from 'cors';
import express from 'express';

/** Bodies are session descriptions of a few kilobytes. */
const bodyLimit = '256kb';

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

/** What the service and its tests share; the application is made with `bodyParser: false`. */
export function configureHttp(app: NestExpressApplication, logger: Logger): void {
  app.set('etag', false);
  app.disable('x-powered-by');
  app.use(app.get(HttpMetrics, { strict: false }).middleware());
  app.use(requestID());
  app.use(mediaHeaders());
  app.use(httpTracing());
  app.use(httpLogging(logger));
  for (const path of ['/whip', '/whep']) {
    app.use(path, crossOrigin);
    app.use(path, express.text({ type: () => true, limit: bodyLimit }));
  }
  app.useGlobalFilters(new ErrorEnvelopeFilter(logger));
}
