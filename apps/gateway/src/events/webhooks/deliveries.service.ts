import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@rtms/clock';
import { ServiceError } from '@rtms/contracts';
import { DataSource } from 'typeorm';
import type { RoomScope } from '../../platform/auth/room-scope.js';
import { newID } from '../../platform/database/new-id.js';
import { missingRow } from '../../platform/rows/own-row.js';
import { DomainEvents } from '../../platform/runtime/domain-events.js';
import { CLOCK } from '../../platform/runtime/runtime.module.js';
import { invalidCursor } from '../log/event-cursor.js';
import { defaultPageSize } from '../log/event-log.dto.js';
import { DeliveriesRepository } from '../deliveries/deliveries.repository.js';
import type { Delivery, GetDeliveriesDto } from '../deliveries/delivery.dto.js';
import { maxPending, WebhookQueueRepository, type NewDelivery } from '../deliveries/webhook-queue.repository.js';
import { bodyOf } from '../deliveries/webhook-planner.service.js';
import { WebhooksService } from './webhooks.service.js';

/** The log of deliveries, and deliveries that a caller asks for. */
@Injectable()
export class DeliveriesService {
  constructor(
    private readonly database: DataSource,
    private readonly deliveries: DeliveriesRepository,
    private readonly webhooks: WebhooksService,
    private readonly queue: WebhookQueueRepository,
    private readonly domainEvents: DomainEvents,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Newest first. */
  async list(
    scope: RoomScope,
    id: string,
    { state, after, pageSize }: GetDeliveriesDto,
  ): Promise<{ items: Delivery[]; nextCursor: string | null }> {
    const webhook = await this.webhooks.find(scope, id);
    if (after !== undefined && !/^\d{1,15}$/.test(after))
      throw invalidCursor('after must be a nextCursor of this list.');
    const size = Number(pageSize ?? defaultPageSize);
    const before = after === undefined ? null : Number(after);
    const rows = await this.deliveries.list(webhook.id, { state, before, limit: size + 1 });
    const items = rows.slice(0, size);
    return { items, nextCursor: rows.length > size ? String(items.at(-1)?.number) : null };
  }

  async get(scope: RoomScope, webhookID: string, deliveryID: string): Promise<Delivery> {
    const webhook = await this.webhooks.find(scope, webhookID);
    return this.find(webhook.id, deliveryID);
  }

  /** Sends `webhook.test`, which is not in the event log. */
  async test(scope: RoomScope, webhookID: string): Promise<Delivery> {
    const { accountID } = await this.webhooks.find(scope, webhookID);
    const [eventID, id] = [newID('evt'), newID('dlv')];
    const type = 'webhook.test';
    const createdAt = new Date(this.clock.now()).toISOString();
    const body = bodyOf({ id: eventID, type, createdAt, accountID, data: { webhookID } });
    return this.add(webhookID, accountID, {
      id,
      cause: 'test',
      eventID,
      sequence: null,
      type,
      body,
      lane: `test/${id}`,
    });
  }

  /** The new delivery waits for pending deliveries of the resource. */
  async resend(
    scope: RoomScope,
    { webhookID, deliveryID }: { webhookID: string; deliveryID: string },
  ): Promise<Delivery> {
    const { accountID } = await this.webhooks.find(scope, webhookID);
    const { eventID, sequence, type, body, ...former } = await this.find(webhookID, deliveryID);
    const id = newID('dlv');
    const isTest = former.cause === 'test';
    return this.add(webhookID, accountID, {
      ...{ id, eventID, sequence, type, body, lane: isTest ? `test/${id}` : former.lane },
      cause: isTest ? 'test' : 'resend',
    });
  }

  private async add(webhookID: string, accountID: string, delivery: NewDelivery): Promise<Delivery> {
    await this.database.transaction(async manager => {
      const queue = await this.queue.lock(manager, webhookID);
      if (!queue) throw missingRow('webhook');
      if (queue.pending >= maxPending) {
        const message = `${maxPending} deliveries of this webhook wait already. Retry when some of them are delivered.`;
        throw new ServiceError('too_many_waiting', message);
      }
      await this.queue.add(manager, { webhookID, accountID, at: new Date(this.clock.now()) }, [delivery]);
    });
    const added = await this.find(webhookID, delivery.id);
    this.domainEvents.emit('webhooks.due');
    return added;
  }

  private async find(webhookID: string, deliveryID: string): Promise<Delivery> {
    const row = await this.deliveries.find(webhookID, deliveryID);
    if (!row) throw missingRow('delivery');
    return row;
  }
}
