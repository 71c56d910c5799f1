import type { FakeService } from '../../testing/fake-service.js';

/** For the specs of these pages. */
export const webhook = (fields: object = {}) => ({
  ...{ webhookID: 'hook_1', keyType: 'sandbox', url: 'https://app.example.com/events', description: 'For the shop' },
  ...{ eventTypes: ['room.*'], state: 'enabled', disabledReason: null, disabledAt: null, previousSecretUntil: null },
  ...{ failingSince: null, lastDeliveredAt: '2026-01-01T00:00:00.000Z', pendingDeliveries: 2, nextCursor: '9.x' },
  ...{ createdAt: '2026-01-01T00:00:00.000Z', updatedAt: '2026-01-01T00:00:00.000Z' },
  ...fields,
});

export const withWebhooks =
  (...all: object[]) =>
  (service: FakeService) =>
    void service.onList('/v1/webhooks', 'webhooks', all);

export const delivery = (number: number, fields: object = {}) => ({
  ...{ deliveryID: `dlv_${number}`, cause: 'event', eventID: `evt_${number}`, cursor: `${number}.x` },
  ...{ type: 'room.created', state: 'delivered', attemptCount: 1, responseStatus: 200, error: null },
  ...{ createdAt: `2026-01-01T00:00:${String(number % 60).padStart(2, '0')}.000Z`, nextAttemptAt: null },
  finishedAt: '2026-01-01T00:01:00.000Z',
  ...fields,
});

export const attempt = (fields: object = {}) => ({
  ...{ at: '2026-01-01T00:00:01.000Z', url: 'https://app.example.com/events', status: 200, error: null },
  ...{ headers: { 'Webhook-Id': 'evt_1' }, durationMs: 12, responseBody: 'thanks' },
  ...fields,
});
