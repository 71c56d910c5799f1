import type { Clock } from '@rtms/clock';
import { headers, type Msg, type MsgHdrs } from '@nats-io/transport-node';
import type { RequestContext } from './bus.js';
import { traceHeaders } from '@rtms/tracing';
import { makeRequestID } from './request-id.js';

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

/** What is left is sent, not a time of day: clocks of two machines differ. */
export function requestHeaders(requestID: string | undefined, deadlineMs: number): MsgHdrs {
  const own = publishHeaders();
  own.set(requestIDHeader, requestID ?? makeRequestID());
  own.set(deadlineHeader, String(deadlineMs));
  return own;
}

/** With what makes the receiver's work part of the trace that goes on here. */
export function publishHeaders(): MsgHdrs {
  const own = headers();
  for (const [name, value] of Object.entries(traceHeaders())) own.set(name, value);
  return own;
}

/** What came along of the sender's trace. */
export function traceOf(sent: MsgHdrs | undefined): Record<string, string> {
  const names = traceHeaderNames.filter(name => sent?.has(name));
  return Object.fromEntries(names.map(name => [name, sent?.get(name) ?? '']));
}

export function decodeContext({ headers: sent }: Msg, clock: Clock): RequestContext {
  const deadlineMs = Number(sent?.get(deadlineHeader) ?? 0);
  const requestID = sent?.has(requestIDHeader) ? sent.get(requestIDHeader) : makeRequestID();
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
