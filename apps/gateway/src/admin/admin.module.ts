import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { RoomsModule } from '../rooms/rooms.module.js';
import { MediaModule } from '../media/media.module.js';
import { AdminAccountsController } from './admin-accounts.controller.js';
import { AdminDashboardUsersController } from './admin-dashboard-users.controller.js';
import { AdminDisposableKeysController } from './admin-disposable-keys.controller.js';
import { AdminDoctorController } from './admin-doctor.controller.js';
import { AdminFeaturesController } from './admin-features.controller.js';
import { AdminKeysController } from './admin-keys.controller.js';
import { AdminLimitsController } from './admin-limits.controller.js';
import { AdminMinutesController } from './admin-minutes.controller.js';
import { AdminNodesController } from './admin-nodes.controller.js';
import { AdminSecretsController } from './admin-secrets.controller.js';
import { AdminSigningKeysController } from './admin-signing-keys.controller.js';
import { DoctorService } from './doctor/doctor.service.js';
import { NodeDoctorService } from './doctor/node-doctor.service.js';
import { GatewayMetricsService } from './metrics/gateway-metrics.service.js';
import { RetentionService } from './retention/retention.service.js';

/** `/admin/v1`, diagnosis, metrics, and the deletion of old records. */
@Module({
  imports: [AccountsModule, RoomsModule, MediaModule],
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
    AdminSecretsController,
    AdminSigningKeysController,
  ],
  providers: [DoctorService, NodeDoctorService, GatewayMetricsService, RetentionService],
})
export class AdminModule {}
