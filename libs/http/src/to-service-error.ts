import { HttpException } from '@nestjs/common';
import { DeadlineError, NoResponderError, RemoteError } from '@rtms/bus';
import { errorCatalogue, internalError, ServiceError, type ErrorReason } from '@rtms/contracts';

/** Whatever was thrown, as the failure that a caller may see. What nobody foresaw is `internal_error`. */
export function toServiceError(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error;
  if (error instanceof RemoteError) return fromRemote(error);
  if (error instanceof NoResponderError || error instanceof DeadlineError) return controllerUnavailable();
  if (error instanceof HttpException) return fromStatus(error.getStatus(), error.message);
  return fromParser(error) ?? internalError();
}

function controllerUnavailable(): ServiceError {
  return new ServiceError('controller_unavailable', 'No media worker answers right now. Try again in a moment.');
}

function fromRemote({ failure }: RemoteError): ServiceError {
  if (!Object.hasOwn(errorCatalogue, failure.reason)) return internalError();
  return new ServiceError(failure.reason as ErrorReason, failure.message, failure.details);
}

/** Errors of body-parser carry a `type`, see its README. */
const parserReasons: Readonly<Record<string, [ErrorReason, string]>> = {
  'entity.parse.failed': ['malformed_json', 'The body is not valid JSON.'],
  'parameters.too.many': ['body_too_large', 'The body is too large.'],
  'encoding.unsupported': ['unsupported_media_type', 'The content encoding of the body is not supported.'],
  'charset.unsupported': ['unsupported_media_type', 'The character set of the body is not supported.'],
  'request.aborted': ['invalid_request', 'The request ended before its body did.'],
  'request.size.invalid': ['invalid_request', 'The body is not as long as Content-Length says.'],
};

function fromParser(error: unknown): ServiceError | undefined {
  if (!(error instanceof Error)) return undefined;
  const { type, status, limit } = error as { type?: unknown; status?: unknown; limit?: unknown };
  if (type === 'entity.too.large') return bodyTooLarge(limit);
  const known = typeof type === 'string' ? parserReasons[type] : undefined;
  if (known) return new ServiceError(...known);
  // express.static, the router's URL decoding and the like: they say whose fault it is by the status.
  return typeof status === 'number' && status >= 400 && status < 500 ? fromStatus(status, error.message) : undefined;
}

/** body-parser says which limit it holds. */
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
    ? new ServiceError('malformed_json', 'The body is not valid JSON.')
    : new ServiceError('invalid_request', 'The request is not valid.');
}

/** Nest turns a parser's SyntaxError into a BadRequestException before any filter sees it. */
function looksLikeJsonMistake(message: string): boolean {
  return message.includes('JSON');
}
