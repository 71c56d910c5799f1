import { Catch, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { ServiceError } from '@rtms/contracts';
import type { Logger } from '@rtms/logging';
import type { Request, Response } from 'express';
import { requestIDOf } from './request-id.js';
import { toServiceError } from './to-service-error.js';

/** Turns everything that is thrown into the failure body, with the status and headers of its case. */
@Catch()
export class ErrorEnvelopeFilter implements ExceptionFilter {
  constructor(private readonly logger: Logger) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<Request>();
    const failure = toServiceError(error);
    this.log(error, failure, requestIDOf(request));
    answerFailure(http.getResponse<Response>(), failure);
  }

  private log(error: unknown, failure: ServiceError, requestID: string): void {
    const fields = { requestID, reason: failure.reason };
    switch (failure.fault) {
      case 'caller':
        // What is said of a malformed request quotes the caller, who may have put a secret in the wrong place.
        this.logger.info(fields, failure.status === 400 ? 'a malformed request was refused' : failure.message);
        return;
      case 'destination':
        this.logger.warn({ ...fields, err: error }, failure.message);
        return;
      case 'ours':
        this.logger.error({ ...fields, err: error }, failure.message);
        return;
      default:
        failure.fault satisfies never;
    }
  }
}

/** Writes a failure; a response that has begun can only be cut off. */
export function answerFailure(response: Response, failure: ServiceError): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  if (failure.retryAfterSeconds !== undefined) response.setHeader('Retry-After', String(failure.retryAfterSeconds));
  if (failure.status === 401) response.setHeader('WWW-Authenticate', 'Bearer');
  response.setHeader('Cache-Control', 'private, no-store');
  response.status(failure.status).json(failure.toBody());
}
