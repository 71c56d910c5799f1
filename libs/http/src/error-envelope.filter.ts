import { Catch, type ArgumentsHost, type ExceptionFilter, HttpException } from '@nestjs/common';
import { ServiceError, errorCatalogue, internalError, type ErrorReason } from '@rtms/contracts';
import type { Logger } from '@rtms/logging';
import type { Request, Response, RequestHandler } from 'express';
import { DeadlineError, NoResponderError, RemoteError } from '@rtms/bus';
import { requestIDOf } from './request-id.js';

/** Converts every thrown error to the failure body, with the status and headers from the error catalogue. */
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
        // The message of a malformed request quotes the request, which may hold a secret in the wrong field.
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

/** Writes a failure. Destroys the response when its headers are already sent. */
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

/** Converts a thrown value to the failure that the caller sees. An unknown error becomes `internal_error`. */
export function toServiceError(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error;
  if (error instanceof RemoteError) return fromRemote(error);
  if (error instanceof NoResponderError || error instanceof DeadlineError) return controllerUnavailable();
  if (error instanceof HttpException) return fromStatus(error.getStatus(), error.message);
  return fromParser(error) ?? internalError();
}

function controllerUnavailable(): ServiceError {
  return new ServiceError('controller_unavailable', 'No media node answers right now. Try again in a moment.');
}

function fromRemote({ failure }: RemoteError): ServiceError {
  if (!Object.hasOwn(errorCatalogue, failure.reason)) return internalError();
  return new ServiceError(failure.reason as ErrorReason, failure.message, failure.details);
}

/** By the `type` of body-parser's errors (README, "Errors"). */
const parserReasons: Readonly<Record<string, [ErrorReason, string]>> = {
  'entity.parse.failed': ['malformed_json', 'The body is not valid JSON.'],
  'parameters.too.many': ['body_too_large', 'The body is too large.'],
  'encoding.unsupported': ['unsupported_media_type', 'The content encoding of the body is not supported.'],
  'charset.unsupported': ['unsupported_media_type', 'The character set of the body is not supported.'],
  'request.aborted': ['invalid_request', 'The connection closed before the whole body arrived.'],
  'request.size.invalid': ['invalid_request', 'The length of the body differs from Content-Length.'],
};

function fromParser(error: unknown): ServiceError | undefined {
  if (!(error instanceof Error)) return undefined;
  const { type, status, limit } = error as { type?: unknown; status?: unknown; limit?: unknown };
  if (type === 'entity.too.large') return bodyTooLarge(limit);
  const known = typeof type === 'string' ? parserReasons[type] : undefined;
  if (known) return new ServiceError(...known);
  // Errors of express.static and of the router's URL decoding have only a status.
  return typeof status === 'number' && status >= 400 && status < 500 ? fromStatus(status, error.message) : undefined;
}

/** body-parser reports its limit. */
function bodyTooLarge(limit: unknown): ServiceError {
  const rule = typeof limit === 'number' ? ` Send at most ${limit} bytes.` : '';
  return new ServiceError('body_too_large', `The body is too large.${rule}`);
}

const statusReasons: Readonly<Record<number, [ErrorReason, string]>> = {
  401: ['invalid_credentials', 'The credentials are missing or wrong.'],
  403: ['operation_not_granted', 'This is not allowed.'],
  404: ['not_found', 'There is nothing at this address.'],
  405: ['method_not_allowed', 'This method is not possible here.'],
  413: ['body_too_large', 'The body is too large.'],
  415: ['unsupported_media_type', 'The type or the encoding of the body is not supported.'],
  429: ['rate_limited', 'Too many requests. Try again later.'],
  503: ['dependency_unavailable', 'A part of the service cannot be reached right now. Try again in a moment.'],
};

function fromStatus(status: number, message: string): ServiceError {
  const known = statusReasons[status];
  if (known) return new ServiceError(...known);
  if (status >= 500) return internalError();
  return looksLikeJsonMistake(message)
    ? new ServiceError('malformed_json')
    : new ServiceError('invalid_request', 'The request is not valid.');
}

/** Nest converts the SyntaxError of the JSON parser to a BadRequestException before a filter runs. */
function looksLikeJsonMistake(message: string): boolean {
  return message.includes('JSON');
}

/** Answers any other method of a route: 405 with `Allow` (RFC 9110 section 15.5.6). */
export function methodNotAllowed(allow: readonly string[]): RequestHandler {
  return (request, response, next) => {
    response.setHeader('Allow', allow.join(', '));
    next(new ServiceError('method_not_allowed', `${request.method} is not supported here. Use ${allow.join(', ')}.`));
  };
}
