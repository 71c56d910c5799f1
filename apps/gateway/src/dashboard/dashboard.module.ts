import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { RoomsModule } from '../rooms/rooms.module.js';
import { MediaModule } from '../media/media.module.js';
import { AccountWatchService } from './events/account-watch.service.js';
import { WatchedRowsRepository } from './events/watched-rows.repository.js';
import { DashboardEventsController } from './events/dashboard-events.controller.js';
import { DashboardEntitlementsController } from './overview/dashboard-entitlements.controller.js';
import { DashboardKeysController } from './overview/dashboard-keys.controller.js';
import { DashboardOverviewController } from './overview/dashboard-overview.controller.js';
import { DashboardRoomsController } from './overview/dashboard-rooms.controller.js';
import { OverviewRepository } from './overview/overview.repository.js';
import { OverviewService } from './overview/overview.service.js';
import { RoomLiveService } from './overview/room-live.service.js';

/** The routes of the dashboard's page beside `/v1`. */
@Module({
  imports: [AccountsModule, RoomsModule, MediaModule],
  controllers: [
    DashboardEventsController,
    DashboardEntitlementsController,
    DashboardKeysController,
    DashboardOverviewController,
    DashboardRoomsController,
  ],
  providers: [AccountWatchService, WatchedRowsRepository, OverviewService, OverviewRepository, RoomLiveService],
})
export class DashboardModule {}
