import { Module } from '@nestjs/common';
import { AccountsModule } from './accounts/accounts.module.js';
import { BalancesModule } from './balance/balances.module.js';
import { AccountWatch } from './dashboard-events/account-watch.service.js';
import { DashboardEventsController } from './dashboard-events/dashboard-events.controller.js';
import { DashboardSessionsModule } from './dashboard-sessions/dashboard-sessions.module.js';
import { EntitlementsModule } from './entitlements/entitlements.module.js';
import { DashboardEntitlementsController } from './overview/dashboard-entitlements.controller.js';
import { DashboardKeysController } from './overview/dashboard-keys.controller.js';
import { DashboardOverviewController } from './overview/dashboard-overview.controller.js';
import { DashboardRoomsController } from './overview/dashboard-rooms.controller.js';
import { OverviewService } from './overview/overview.service.js';
import { RoomLiveService } from './overview/room-live.service.js';

/** What the dashboard's page asks for beside `/v1`. */
@Module({
  imports: [AccountsModule, BalancesModule, DashboardSessionsModule, EntitlementsModule],
  controllers: [
    DashboardEntitlementsController,
    DashboardEventsController,
    DashboardKeysController,
    DashboardOverviewController,
    DashboardRoomsController,
  ],
  providers: [AccountWatch, OverviewService, RoomLiveService],
})
export class DashboardModule {}
