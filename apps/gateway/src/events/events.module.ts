import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { EventSubscribers } from './log/event-subscribers.js';

const services = [EventSubscribers];

/** The event log of accounts. */
@Module({
  imports: [AccountsModule],
  providers: services,
  exports: services,
})
export class EventsModule {}
