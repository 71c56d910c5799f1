import { Catch, type ArgumentsHost } from '@nestjs/common';
import { ErrorEnvelopeFilter } from '@rtms/http';
import { databaseUnavailable, isDatabaseUnavailable } from '../database/database-errors.js';

/** A database that is away is no fault of a request: the caller is told when to come back. */
@Catch()
export class GatewayErrorFilter extends ErrorEnvelopeFilter {
  override catch(error: unknown, host: ArgumentsHost): void {
    super.catch(isDatabaseUnavailable(error) ? databaseUnavailable() : error, host);
  }
}
