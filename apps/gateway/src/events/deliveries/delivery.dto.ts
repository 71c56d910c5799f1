import { z } from 'zod';
import { identifier, success, time } from '../../platform/http/answers.js';
import { Dto, optionalQuery } from '../../platform/http/dto.js';
import { oneOf, pageSizeText, queryText } from '../../platform/http/fields.js';
import { cursorOf } from '../log/event-cursor.js';

export const deliveryStates = ['pending', 'delivered', 'failed'] as const;
export type DeliveryState = (typeof deliveryStates)[number];

export const deliveryCauses = ['event', 'replay', 'resend', 'test'] as const;
export type DeliveryCause = (typeof deliveryCauses)[number];

/** One request of a delivery and its answer, as the log keeps it. */
export interface Attempt {
  /** RFC 3339, UTC, milliseconds. */
  at: string;
  url: string;
  /** Without the signature. */
  headers: Record<string, string>;
  /** HTTP status; null: there was no answer. */
  status: number | null;
  /** Why the attempt failed; null: it succeeded. */
  error: string | null;
  durationMs: number;
  /** The beginning of the answer's body. */
  responseBody: string | null;
}

/** A row of `webhook_deliveries`. */
export interface Delivery {
  id: string;
  webhookID: string;
  accountID: string;
  /** Grows with each delivery of the service. */
  number: number;
  cause: DeliveryCause;
  eventID: string;
  /** Of the event in the log; null: a test. */
  sequence: number | null;
  type: string;
  /** Deliveries of one lane are sent one after the other. */
  lane: string;
  body: string;
  state: DeliveryState;
  attemptCount: number;
  attempts: Attempt[];
  createdAt: Date;
  /** null: a request runs, or an earlier one of its resource waits, or its webhook is disabled, or the delivery is finished. */
  dueAt: Date | null;
  finishedAt: Date | null;
}

export class GetDeliveriesDto extends Dto(
  optionalQuery({
    state: oneOf(deliveryStates).describe('Answers only deliveries in this state.'),
    after: queryText().describe('Answers only deliveries behind this `nextCursor`.'),
    pageSize: pageSizeText,
  }),
) {}

const fields = {
  deliveryID: identifier('dlv'),
  cause: z.enum(deliveryCauses).describe('Why the delivery was made.'),
  eventID: z.string().describe('The event, in `Webhook-Id`. The same each time that it is sent.'),
  cursor: z.string().nullable().describe('Position of the event in the log, for `replay`; null: a test.'),
  type: z.string().describe('Type of the event, or `webhook.test`.'),
  state: z
    .enum(deliveryStates)
    .describe('`pending`: waits, is being sent or will be tried again. `failed`: the service gave up.'),
  attemptCount: z.int().min(0).describe('Number of requests.'),
  responseStatus: z.int().nullable().describe('HTTP status of the last answer.'),
  error: z.string().nullable().describe('Why the last attempt failed.'),
  createdAt: time,
  nextAttemptAt: time
    .nullable()
    .describe('Next attempt; null: it runs, or comes after earlier deliveries of its resource, or never.'),
  finishedAt: time.nullable().describe('When it was delivered or given up.'),
};

const deliverySchema = z.object(fields).meta({ id: 'WebhookDelivery', description: 'An event for a webhook.' });
type PresentedDelivery = z.infer<typeof deliverySchema>;

export const detailedDeliverySchema = deliverySchema
  .extend({
    body: z.string().describe('The body of each request.'),
    attempts: z
      .array(
        z.object({
          at: time,
          url: z.string().describe('Address of the request.'),
          headers: z.record(z.string(), z.string()).describe('Headers of the request without the signature.'),
          status: z.int().nullable().describe('HTTP status; null: no answer.'),
          error: z.string().nullable().describe('Why the attempt failed; null: it succeeded.'),
          durationMs: z.int().describe('Milliseconds until the end of the answer.'),
          responseBody: z.string().nullable().describe('Beginning of the answer’s body.'),
        }),
      )
      .describe('The newest 30 requests, oldest first.'),
  })
  .meta({ id: 'DetailedWebhookDelivery', description: 'A delivery with its requests and their answers.' });

export const deliveriesSchema = z.strictObject({
  success,
  deliveries: z.array(deliverySchema).describe('Newest first.'),
  nextCursor: z.string().nullable().describe('The `after` of the next page; null: this is the last one.'),
  hasMore: z.boolean().describe('Whether there is a next page.'),
});

export function presentDelivery(delivery: Delivery): PresentedDelivery {
  const { id, cause, eventID, type, state, attemptCount, accountID, sequence, attempts, dueAt } = delivery;
  const last = attempts.at(-1);
  return {
    deliveryID: id,
    ...{ cause, eventID, type, state, attemptCount },
    cursor: sequence === null ? null : cursorOf(accountID, sequence),
    responseStatus: last?.status ?? null,
    error: last?.error ?? null,
    createdAt: delivery.createdAt.toISOString(),
    nextAttemptAt: dueAt?.toISOString() ?? null,
    finishedAt: delivery.finishedAt?.toISOString() ?? null,
  };
}

export function presentDetailedDelivery(delivery: Delivery): z.infer<typeof detailedDeliverySchema> {
  return { ...presentDelivery(delivery), body: delivery.body, attempts: delivery.attempts };
}
