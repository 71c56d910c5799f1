import { AsyncLocalStorage } from 'node:async_hooks';
import type { RequestHandler } from 'express';
import { requestIDOf } from '@rtms/http';
import { currentPool } from '../database/connection-pools.js';

const context = new AsyncLocalStorage<string>();

/** Lets the changes of a request name it. Register it after `requestID()`. */
export function nameChanges(): RequestHandler {
  return (request, _, next) => context.run(requestIDOf(request), next);
}

/**
 * The end of a statement that changes rows: the triggers of the event log read the request's ID there. Background work that a request
 * has woken is not the request's.
 */
export function requestComment(): string {
  const requestID = currentPool() === 'requests' ? context.getStore() : undefined;
  return requestID ? ` /* request ${requestID} */` : '';
}
