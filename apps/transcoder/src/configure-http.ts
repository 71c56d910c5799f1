import type { NestExpressApplication } from '@nestjs/platform-express';
import { ErrorEnvelopeFilter, requestID } from '@rtms/http';
import { httpLogging, type Logger } from '@rtms/logging';

/** What the service and its tests share; the application is made with `bodyParser: false`. */
export function configureHttp(app: NestExpressApplication, logger: Logger): void {
  app.set('etag', false);
  app.disable('x-powered-by');
  app.use(requestID());
  app.use(httpLogging(logger));
  app.useGlobalFilters(new ErrorEnvelopeFilter(logger));
}
