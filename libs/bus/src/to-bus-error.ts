import { errors } from '@nats-io/transport-node';
import { BusPermissionError, DeadlineError, NoResponderError } from './bus-errors.js';

/** The client library's errors in the bus's own terms; others stay as they are. */
export function toBusError(error: unknown, subject: string): unknown {
  if (error instanceof errors.NoRespondersError) return new NoResponderError(subject);
  if (error instanceof errors.RequestError && error.isNoResponders()) return new NoResponderError(subject);
  if (error instanceof errors.ClosedConnectionError) return new NoResponderError(subject);
  if (error instanceof errors.TimeoutError) return new DeadlineError(subject);
  if (isForbidden(error)) return new BusPermissionError(subject);
  return error;
}

export function isForbidden(error: unknown): boolean {
  const cause = error instanceof errors.RequestError ? error.cause : error;
  return cause instanceof errors.PermissionViolationError;
}
