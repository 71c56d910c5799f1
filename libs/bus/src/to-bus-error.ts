import { errors } from '@nats-io/transport-node';
import { DeadlineError, NoResponderError } from './bus-errors.js';

/** The client library's errors in the bus's own terms; others stay as they are. */
export function toBusError(error: unknown, subject: string): unknown {
  if (error instanceof errors.NoRespondersError) return new NoResponderError(subject);
  if (error instanceof errors.RequestError && error.isNoResponders()) return new NoResponderError(subject);
  if (error instanceof errors.ClosedConnectionError) return new NoResponderError(subject);
  if (error instanceof errors.TimeoutError) return new DeadlineError(subject);
  return error;
}
