import { z } from 'zod';
import { keyTypes } from '../../platform/auth/caller.js';
import { count, identifier, recordTimes, time } from '../../platform/http/answers.js';
import { Dto, optional, optionalQuery } from '../../platform/http/dto.js';
import { flag, idOf, listOf, matching, queryText, text, webURL } from '../../platform/http/fields.js';
import { presentFields } from '../../platform/http/present.js';
import { disabledReasons } from '../deliveries/delivery-decisions.js';
import { webhookStates, type Webhook, type WebhookQueue } from './webhook.entity.js';

const url = webURL.meta({
  description: 'Public https address that receives the events.',
  examples: ['https://app.example.com/rtms-events'],
});

/** More than the event log has types and families. */
const maxTypes = 200;

const eventTypes = listOf(
  matching(/^[a-z_]{1,40}\.(?:[a-z_]{1,40}|\*)$/, 'must be a list of event types such as room.created or room.*.').meta(
    {
      examples: ['room.*'],
    },
  ),
  0,
  maxTypes,
  'must be a list of event types such as room.created or room.*, none twice.',
).meta({
  description: 'Sends only these types of the event log; `room.*` stands for all types of rooms. Empty: all types.',
  examples: [['room.*', 'recording.ready']],
});

const settable = {
  description: text(0, 256).nullable().describe('Text for people.'),
  eventTypes,
};
export const changeableFields = { url, ...settable };

const cursor = text(1, 64);

/** `create` begins at new events, unless the caller names a position. */
export class CreateWebhookDto extends Dto({
  url,
  ...optional({
    ...settable,
    after: cursor.meta({
      description:
        'Begins behind this `nextCursor` of the event log. `oldest`: at the oldest kept event. `latest`: at new events.',
      ...{ default: 'latest', examples: ['latest'] },
    }),
  }),
}) {}

export class WebhookIDDto extends Dto({ webhookID: idOf('a webhook') }) {}

export class UpdateWebhookDto extends Dto({
  webhookID: idOf('a webhook'),
  ...optional({
    url,
    ...settable,
    enabled: flag.describe('`false`: sends nothing, events wait in the log. `true`: continues where it stopped.'),
  }),
}) {}

export class GetWebhooksDto extends Dto(optionalQuery({ webhookID: queryText() })) {}

export class ResendDeliveryDto extends Dto({ webhookID: idOf('a webhook'), deliveryID: idOf('a delivery') }) {}

export class ReplayEventsDto extends Dto({
  webhookID: idOf('a webhook'),
  after: cursor.meta({
    description: 'Sends the events behind this cursor again. `oldest`: all kept events.',
    examples: ['oldest'],
  }),
  ...optional({
    until: cursor.meta({
      description: 'Cursor of the last event to send. Default: the newest event.',
      examples: ['4711.k3Jx_81Q'],
    }),
  }),
}) {}

const rowFields = {
  keyType: z.enum(keyTypes).describe('Environment whose events are sent, with those that both environments share.'),
  url: z.string().describe('Address that receives the events.'),
  description: z.string().nullable().describe('Text for people.'),
  eventTypes: z.array(z.string()).describe('The types that are sent. Empty: all types.'),
  state: z.enum(webhookStates).describe('`disabled`: nothing is sent.'),
  disabledReason: z
    .enum(disabledReasons)
    .nullable()
    .describe('`requested`: by `update`. `failing`: three days without success. `gone`: the address answered 410.'),
  disabledAt: time.nullable().describe('When the webhook was disabled.'),
  previousSecretUntil: time
    .nullable()
    .describe('The former secret also signs until this time; null: no former secret.'),
  ...recordTimes,
};

const queueFields = {
  failingSince: time.nullable().describe('First failure since the last success.'),
  lastDeliveredAt: time.nullable().describe('Last success.'),
};

export const webhookSchema = z
  .object({
    webhookID: identifier('hook'),
    ...rowFields,
    ...queueFields,
    pendingDeliveries: count.describe('Deliveries that wait or are being sent. At 10,000, events wait in the log.'),
    nextCursor: z.string().meta({
      description: 'Position in the event log behind the last event that has a delivery.',
      examples: ['4711.k3Jx_81Q'],
    }),
  })
  .meta({ id: 'Webhook', description: 'An address that receives the events of the account.' });
export type PresentedWebhook = z.infer<typeof webhookSchema>;

export const issuedWebhookSchema = webhookSchema
  .extend({
    secret: z.string().describe('Verifies the signatures (Standard Webhooks). This answer alone contains it.'),
  })
  .meta({ id: 'IssuedWebhook', description: 'A webhook with its new secret.' });

export function presentWebhook(
  webhook: Webhook,
  queue: Pick<WebhookQueue, 'pending' | 'failingSince' | 'lastDeliveredAt'>,
  nextCursor: string,
): PresentedWebhook {
  return {
    webhookID: webhook.id,
    ...presentFields(rowFields, webhook),
    ...presentFields(queueFields, queue),
    pendingDeliveries: queue.pending,
    nextCursor,
  };
}
