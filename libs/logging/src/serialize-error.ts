import { types } from 'node:util';

/**
 * What a log line says of an error. Only named members are taken: libraries hang queries with their
 * parameters, requests with their headers and the like on their errors.
 */
export function serializeError(error: unknown): unknown {
  // Not `instanceof`: an error may come from another realm.
  if (!types.isNativeError(error)) return error;
  const { code, reason } = error as { code?: unknown; reason?: unknown };
  return {
    type: error.name,
    message: error.message,
    stack: error.stack,
    ...(typeof code === 'string' && { code }),
    ...(typeof reason === 'string' && { reason }),
    ...(error.cause !== undefined && { cause: serializeError(error.cause) }),
  };
}
