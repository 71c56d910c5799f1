import type { RequestHandler } from 'express';
import { ServiceError } from '@rtms/contracts';

/** Ends a route that has other methods: 405 with `Allow` (RFC 9110 section 15.5.6). */
export function methodNotAllowed(allow: readonly string[]): RequestHandler {
  return (request, response, next) => {
    response.setHeader('Allow', allow.join(', '));
    next(
      new ServiceError(
        'method_not_allowed',
        `${request.method} is not possible here. Possible are: ${allow.join(', ')}.`,
      ),
    );
  };
}
