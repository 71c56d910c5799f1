import { Webhook } from 'standardwebhooks';
import { RtmsError, RtmsWebhookError } from './errors.js';
import type { RtmsEvent } from './event-stream.js';

interface Delivered<Type extends string, Data> {
  /** Identifier of the event, the same in `Webhook-Id` and in each repetition. */
  id: string;
  type: Type;
  /** RFC 3339, UTC, milliseconds. */
  createdAt: string;
  accountID: string;
  data: Data;
}

/**
 * The body of a delivery: an event of the log, or the test of a webhook. `type` tells the fields of `data`, as in `RtmsEvent`. A later
 * gateway may send further types.
 */
export type WebhookEvent = DeliveredEvent<RtmsEvent> | Delivered<'webhook.test', { webhookID: string }>;

type DeliveredEvent<Event extends RtmsEvent> = Event extends unknown ? Delivered<Event['type'], Event['data']> : never;

/** Headers of Node.js, or of `fetch`. */
export type DeliveryHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * Checks the signature of a delivery ([Standard Webhooks](https://www.standardwebhooks.com)) and returns its event. While a secret is
 * replaced, a delivery has a signature of each valid secret; one of them must match. Needs no key of the API.
 *
 * Throws `RtmsWebhookError` for a delivery that is forged, changed, or more than five minutes old or early. Throws `RtmsError` with
 * `invalid_option` for a mistake of the receiver's own code.
 * @param body as it arrived: a parsed and serialised body has another signature
 * @param secret of the webhook, `whsec_…`
 */
export function verifyWebhook(body: string | Uint8Array, headers: DeliveryHeaders, secret: string): WebhookEvent {
  const webhook = openWebhook(secret);
  const text = textOf(body);
  let event: unknown;
  try {
    event = webhook.verify(text, plainHeaders(headers));
  } catch (cause) {
    // The parser's words could show a part of the body, which may be private.
    if (cause instanceof SyntaxError) throw rejected('invalid_body', 'The delivery is signed but its body is no JSON.');
    const detail = cause instanceof Error ? cause.message : 'unknown fault';
    throw rejected('invalid_signature', `The delivery is rejected: ${detail}.`);
  }
  if (isEvent(event)) return event;
  throw rejected('invalid_body', 'The delivery is signed but its body is no event of RTMS.');
}

function openWebhook(secret: string): Webhook {
  try {
    return new Webhook(secret);
  } catch {
    throw new RtmsError('`secret` must be the secret of the webhook, `whsec_…`.', { code: 'invalid_option' });
  }
}

function textOf(body: unknown): string {
  if (typeof body === 'string') return body;
  if (body instanceof Uint8Array) return new TextDecoder('utf-8', { ignoreBOM: true }).decode(body);
  const message = '`body` must be the text or bytes of the request. With Express, use `express.raw()` for this route.';
  throw new RtmsError(message, { code: 'invalid_option' });
}

function plainHeaders(headers: DeliveryHeaders): Record<string, string> {
  const entries = headers instanceof Headers ? [...headers] : Object.entries(headers);
  return Object.fromEntries(entries.map(([name, value]) => [name, String(value ?? '')]));
}

function rejected(reason: string, message: string): RtmsWebhookError {
  return new RtmsWebhookError(message, { code: 'webhook_rejected', reason });
}

function isEvent(body: unknown): body is WebhookEvent {
  const { id, type, createdAt, accountID, data } = (body ?? {}) as Partial<Record<keyof WebhookEvent, unknown>>;
  const hasTexts = [id, type, createdAt, accountID].every(each => typeof each === 'string');
  return hasTexts && typeof data === 'object' && data !== null;
}
