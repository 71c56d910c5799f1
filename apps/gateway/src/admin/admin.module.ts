import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { RoomsModule } from '../rooms/rooms.module.js';
import { EventsModule } from '../events/events.module.js';
import { MediaModule } from '../media/media.module.js';
import { AdminAccountsController } from './admin-accounts.controller.js';
import { AdminDashboardUsersController, AdminSetupController } from './admin-dashboard-users.controller.js';
import { AdminFeaturesController } from './admin-features.controller.js';
import { AdminDisposableKeysController, AdminKeysController } from './admin-keys.controller.js';
import { AdminLimitsController, AdminMinutesController } from './admin-limits.controller.js';
import {
  AdminLiveAccountsController,
  AdminRoomsController,
  AdminSessionsController,
  AdminStatusController,
} from './admin-live.controllers.js';
import { AdminNodesController } from './admin-nodes.controller.js';
import {
  AdminDoctorController,
  AdminSecretsController,
  AdminSigningKeysController,
} from './admin-platform.controllers.js';
import { DoctorService } from './doctor/doctor.service.js';
import { NodeDoctorService } from './doctor/node-doctor.service.js';
import { GatewayMetricsService } from './metrics/gateway-metrics.service.js';
import { RetentionService } from './retention/retention.service.js';

/** `/admin/v1`, diagnosis, metrics, and the deletion of old records. */
@Module({
  imports: [AccountsModule, RoomsModule, MediaModule, EventsModule],
  controllers: [
    AdminAccountsController,
    AdminDashboardUsersController,
    AdminDisposableKeysController,
    AdminDoctorController,
    AdminFeaturesController,
    AdminKeysController,
    AdminLimitsController,
    AdminMinutesController,
    AdminNodesController,
    AdminRoomsController,
    AdminSecretsController,
    AdminSessionsController,
    AdminSetupController,
    AdminSigningKeysController,
    AdminStatusController,
    AdminLiveAccountsController,
  ],
  providers: [DoctorService, NodeDoctorService, GatewayMetricsService, RetentionService],
})
export class AdminModule {}
