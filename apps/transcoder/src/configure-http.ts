import type { NestExpressApplication } from '@nestjs/platform-express';
import { systemClock } from '@rtms/clock';
import type { Logger } from '@rtms/logging';
import { configureMediaHttp, type MediaHttp } from '@rtms/node';
import { crossOrigin } from '@rtms/http';
import type { RequestHandler } from 'express';
import { clientDataHeaders } from './delivery/viewers/client-data.js';
import { HlsOriginMiddleware } from './delivery/hls-origin.middleware.js';

const unlimited: Pick<MediaHttp, 'limits' | 'clock'> = {
  limits: { windowSeconds: 60, addressReads: 0, addressWrites: 0, trustedProxies: [] },
  clock: systemClock,
};

/** Configures HTTP for the service and its tests. Create the application with `bodyParser: false`. */
export function configureHttp(app: NestExpressApplication, logger: Logger, { limits, clock } = unlimited): void {
  const origin = app.get(HlsOriginMiddleware, { strict: false });
  configureMediaHttp(app, {
    findReady: (request, client) => origin.findReady(request, client),
    ...{ logger, clock, limits, paths: ['/hls', '/recordings'], crossOrigin: anyPage },
    // Viewers fetch thousands of segments per second; a log line would cost as much as the response. The error filter logs
    // failures.
    isLogged: ({ url }) => !url.startsWith('/hls/'),
  });
}

const timing: RequestHandler = (_request, response, next) => {
  response.setHeader('Timing-Allow-Origin', '*');
  next();
};

/** Any page may embed a player. The signed path protects the media, not the origin. */
const anyPage: RequestHandler[] = [
  crossOrigin({
    origin: '*',
    methods: 'GET, HEAD, OPTIONS',
    requestHeaders: `Range, If-Range, If-None-Match, X-Request-Id, ${clientDataHeaders.join(', ')}`,
    responseHeaders: 'Content-Length, Content-Range, Date, ETag, Retry-After, X-Request-Id',
    maxAgeSeconds: 86_400,
    preflight: 'next',
  }),
  timing,
];
