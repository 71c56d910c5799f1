import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountsModule } from '../accounts/accounts.module.js';
import { AppendedEventsService } from './log/appended-events.service.js';
import { EventLogRepository } from './log/event-log.repository.js';
import { EventLogService } from './log/event-log.service.js';
import { EventSequencerService } from './log/event-sequencer.service.js';
import { EventWaitersService } from './log/event-waiters.service.js';
import { EventsController } from './log/events.controller.js';
import { SequencerRepository } from './log/sequencer.repository.js';
import { DeliveriesRepository } from './deliveries/deliveries.repository.js';
import { DeliveriesService } from './webhooks/deliveries.service.js';
import { WebhookCursorsRepository } from './deliveries/webhook-cursors.repository.js';
import { WebhookDispatcherService } from './deliveries/webhook-dispatcher.service.js';
import { WebhookPlannerService } from './deliveries/webhook-planner.service.js';
import { WebhookQueueRepository } from './deliveries/webhook-queue.repository.js';
import { WebhookSenderService } from './deliveries/webhook-sender.service.js';
import { Webhook, WebhookQueue } from './webhooks/webhook.entity.js';
import { WebhooksController } from './webhooks/webhooks.controller.js';
import { WebhooksService } from './webhooks/webhooks.service.js';

const services = [
  AppendedEventsService,
  DeliveriesRepository,
  DeliveriesService,
  EventLogRepository,
  EventLogService,
  EventSequencerService,
  EventWaitersService,
  SequencerRepository,
  WebhookCursorsRepository,
  WebhookDispatcherService,
  WebhookPlannerService,
  WebhookQueueRepository,
  WebhookSenderService,
  WebhooksService,
];

/** The event log of accounts, and webhooks that send it. */
@Module({
  imports: [TypeOrmModule.forFeature([Webhook, WebhookQueue]), AccountsModule],
  controllers: [EventsController, WebhooksController],
  providers: services,
  exports: services,
})
export class EventsModule {}
