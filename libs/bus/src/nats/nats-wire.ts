import { randomUUID } from 'node:crypto';
import type { Clock } from '@rtms/clock';
import {
  headers,
  type Msg,
  type MsgHdrs,
  nuid,
  errors,
  type NatsConnection,
  type Subscription,
} from '@nats-io/transport-node';
import { traceHeaders } from '@rtms/tracing';
import type { RequestContext } from '../port/bus.js';
import { BusPermissionError, DeadlineError, NoResponderError } from '../port/bus-errors.js';

const requestIDHeader = 'Rtms-Request-Id';
const deadlineHeader = 'Rtms-Deadline-Ms';
const failureHeader = 'Rtms-Failure';
const traceHeaderNames = ['traceparent', 'tracestate'];

export function encodePayload(payload: unknown): string {
  return JSON.stringify(payload ?? null);
}

const decoder = new TextDecoder();

export function decodePayload<Payload>(data: Uint8Array): Payload {
  return (data.length === 0 ? null : JSON.parse(decoder.decode(data))) as Payload;
}

/** Sends the remaining time instead of a time of day, because the clocks of two machines differ. */
export function requestHeaders(requestID: string | undefined, deadlineMs: number): MsgHdrs {
  const own = publishHeaders();
  own.set(requestIDHeader, requestID ?? randomUUID());
  own.set(deadlineHeader, String(deadlineMs));
  return own;
}

/** Headers with the active trace. */
export function publishHeaders(): MsgHdrs {
  const own = headers();
  for (const [name, value] of Object.entries(traceHeaders())) own.set(name, value);
  return own;
}

/** Returns the trace headers of a received message. */
export function traceOf(sent: MsgHdrs | undefined): Record<string, string> {
  const names = traceHeaderNames.filter(name => sent?.has(name));
  return Object.fromEntries(names.map(name => [name, sent?.get(name) ?? '']));
}

export function decodeContext({ headers: sent }: Msg, clock: Clock): RequestContext {
  const deadlineMs = Number(sent?.get(deadlineHeader) ?? 0);
  const requestID = sent?.has(requestIDHeader) ? sent.get(requestIDHeader) : randomUUID();
  return { requestID, deadline: new Date(clock.now() + deadlineMs) };
}

export function failureHeaders(): MsgHdrs {
  const own = headers();
  own.set(failureHeader, '1');
  return own;
}

export function isFailure(message: Msg): boolean {
  return message.headers?.has(failureHeader) === true;
}

/**
 * Sends a request with an unpredictable reply subject. The client otherwise counts reply subjects up, so a responder could
 * guess those of other requests and answer them.
 */
export function withPrivateReply<Sent>(send: () => Sent): Sent {
  nuid.reset();
  const sent = send();
  nuid.reset();
  return sent;
}

/** Converts errors of the NATS client to errors of the bus. Returns other errors unchanged. */
export function toBusError(error: unknown, subject: string): unknown {
  if (error instanceof errors.NoRespondersError) return new NoResponderError(subject);
  if (error instanceof errors.RequestError && error.isNoResponders()) return new NoResponderError(subject);
  if (error instanceof errors.ClosedConnectionError) return new NoResponderError(subject);
  if (error instanceof errors.TimeoutError) return new DeadlineError(subject);
  if (isForbidden(error)) return new BusPermissionError(subject);
  return error;
}

function isForbidden(error: unknown): boolean {
  const cause = error instanceof errors.RequestError ? error.cause : error;
  return cause instanceof errors.PermissionViolationError;
}

export interface OpenedSubscription {
  subscription: Subscription;
  /** The server's refusal of the subscription, if any. */
  refusal(): Error | undefined;
}

export function openSubscription(
  connection: NatsConnection,
  subject: string,
  onMessage: (message: Msg) => void,
  options: { queue?: string } = {},
): OpenedSubscription {
  let refusal: Error | undefined;
  const subscription = connection.subscribe(subject, {
    ...options,
    callback: (error, message) => {
      if (error) refusal = isForbidden(error) ? new BusPermissionError(subject) : error;
      else onMessage(message);
    },
  });
  return { subscription, refusal: () => refusal };
}
