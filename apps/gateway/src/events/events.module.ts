import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { AppendedEventsService } from './log/appended-events.service.js';
import { EventLogRepository } from './log/event-log.repository.js';
import { EventLogService } from './log/event-log.service.js';
import { EventSequencerService } from './log/event-sequencer.service.js';
import { EventSubscribers } from './log/event-subscribers.js';
import { EventWaitersService } from './log/event-waiters.service.js';
import { EventsController } from './log/events.controller.js';
import { SequencerRepository } from './log/sequencer.repository.js';

const services = [
  AppendedEventsService,
  EventLogRepository,
  EventLogService,
  EventSequencerService,
  EventSubscribers,
  EventWaitersService,
  SequencerRepository,
];

/** The event log of accounts. */
@Module({
  imports: [AccountsModule],
  controllers: [EventsController],
  providers: services,
  exports: services,
})
export class EventsModule {}
