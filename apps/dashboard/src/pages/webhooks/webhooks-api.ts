import { request, type QueryValues } from '../../api/request.js';
import { webhooks, type ApiRecord, type Listing, type PageOf, type Webhook } from '../../api/resource.js';

export type IssuedWebhook = ApiRecord<'IssuedWebhook'>;
export type Delivery = ApiRecord<'WebhookDelivery'>;
export type DetailedDelivery = ApiRecord<'DetailedWebhookDelivery'>;

export interface WebhookFields {
  url: string;
  description: string | null;
  eventTypes: string[];
}

/** The response holds the secret, once. */
export async function addWebhook(fields: WebhookFields): Promise<IssuedWebhook> {
  return (await webhooks.act<{ webhook: IssuedWebhook }>('create', fields)).webhook;
}

/** The response holds the new secret, once. */
export async function rotateSecret(webhookID: string): Promise<IssuedWebhook> {
  return (await webhooks.act<{ webhook: IssuedWebhook }>('rotateSecret', { webhookID })).webhook;
}

export function setEnabled(webhook: Webhook, enabled: boolean): Promise<Webhook> {
  return webhooks.update(webhook, { enabled });
}

export async function sendTest(webhookID: string): Promise<DetailedDelivery> {
  return (await webhooks.act<{ delivery: DetailedDelivery }>('test', { webhookID })).delivery;
}

export async function resend(webhookID: string, deliveryID: string): Promise<DetailedDelivery> {
  return (await webhooks.act<{ delivery: DetailedDelivery }>('resend', { webhookID, deliveryID })).delivery;
}

/** Sends the events behind `after` again, up to and including `until`; null: the newest event. */
export async function replay(webhookID: string, after: string, until: string | null): Promise<void> {
  await webhooks.act('replay', { webhookID, after, until });
}

const deliveriesOf = (webhookID: string) => `/v1/webhooks/${encodeURIComponent(webhookID)}/deliveries`;

export async function findDelivery(
  webhookID: string,
  deliveryID: string,
  signal: AbortSignal,
): Promise<DetailedDelivery> {
  const path = `${deliveriesOf(webhookID)}/${encodeURIComponent(deliveryID)}`;
  return (await request<{ delivery: DetailedDelivery }>('GET', path, { signal })).delivery;
}

interface DeliveriesAnswer {
  deliveries: Delivery[];
  nextCursor: string | null;
  hasMore: boolean;
}

export function listDeliveries(webhookID: string, query: QueryValues, signal: AbortSignal): Promise<DeliveriesAnswer> {
  return request('GET', deliveriesOf(webhookID), { query, signal });
}

/** The API continues at a cursor. This list keeps the cursor of each page that was shown before. */
export class DeliveryPages {
  readonly #cursors = new Map<number, string>();

  constructor(
    private readonly webhookID: string,
    private readonly state: string,
  ) {}

  async list({ startIndex, pageSize }: PageOf, signal: AbortSignal): Promise<Listing<Delivery>> {
    const query = { state: this.state, after: this.#cursors.get(startIndex), pageSize };
    const { deliveries: items, nextCursor, hasMore } = await listDeliveries(this.webhookID, query, signal);
    const end = startIndex + items.length;
    if (nextCursor !== null) this.#cursors.set(end, nextCursor);
    return { items, startIndex, pageSize, total: hasMore ? end + 1 : end, isTotalKnown: !hasMore };
  }
}
