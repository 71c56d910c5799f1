import { Webhook } from 'standardwebhooks';
import { RtmsWebhookError } from './errors.js';

/** The body of a webhook delivery. A repeated delivery has the same `id`. */
export interface WebhookEvent {
  id: string;
  /** `room.created` */
  type: string;
  /** RFC 3339, UTC, milliseconds. */
  createdAt: string;
  accountID: string;
  data: Record<string, unknown>;
}

/** Headers of Node.js, or of `fetch`. */
export type DeliveryHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * Checks the signature of a delivery (Standard Webhooks), and returns its event. A delivery that is older than five minutes is
 * rejected, because it may be a replay.
 * @param body as it was received: a parsed and serialised body has another signature
 * @param secret of the webhook, `whsec_…`
 */
export function verifyWebhook(body: string | Uint8Array, headers: DeliveryHeaders, secret: string): WebhookEvent {
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
  const event = checked(() => new Webhook(secret).verify(text, lowerCase(headers)));
  const { id, type, createdAt, accountID, data } = (event ?? {}) as Partial<WebhookEvent>;
  const isEvent = [id, type, createdAt, accountID].every(each => typeof each === 'string') && typeof data === 'object';
  if (isEvent) return event as WebhookEvent;
  throw new RtmsWebhookError('The body is signed but is no event of RTMS.', { code: 'webhook_rejected' });
}

function checked(verify: () => unknown): unknown {
  try {
    return verify();
  } catch (cause) {
    const message = `The delivery is rejected: ${cause instanceof Error ? cause.message : 'unknown fault'}.`;
    throw new RtmsWebhookError(message, { code: 'webhook_rejected', reason: 'invalid_signature' });
  }
}

function lowerCase(headers: DeliveryHeaders): Record<string, string> {
  const entries = headers instanceof Headers ? [...headers] : Object.entries(headers);
  return Object.fromEntries(entries.map(([name, value]) => [name.toLowerCase(), String(value ?? '')]));
}
