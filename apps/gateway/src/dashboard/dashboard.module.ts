import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { RoomsModule } from '../rooms/rooms.module.js';
import { MediaModule } from '../media/media.module.js';
import { AccountWatchService } from './events/account-watch.service.js';
import { DashboardEventsController } from './events/dashboard-events.controller.js';
import { DashboardKeysController } from './overview/dashboard-keys.controller.js';
import {
  DashboardEntitlementsController,
  DashboardIngestProtocolsController,
  DashboardOverviewController,
} from './overview/dashboard-overview.controller.js';
import { DashboardRoomsController } from './overview/dashboard-rooms.controller.js';
import { OverviewRepository } from './overview/overview.repository.js';

/** The routes that only the dashboard uses. It uses `/v1` too. */
@Module({
  imports: [AccountsModule, RoomsModule, MediaModule],
  controllers: [
    DashboardEventsController,
    DashboardEntitlementsController,
    DashboardIngestProtocolsController,
    DashboardKeysController,
    DashboardOverviewController,
    DashboardRoomsController,
  ],
  providers: [AccountWatchService, OverviewRepository],
})
export class DashboardModule {}
