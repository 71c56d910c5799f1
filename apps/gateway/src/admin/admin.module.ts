import { Module } from '@nestjs/common';
import { AccountLimitsModule } from '../account-limits/account-limits.module.js';
import { AccountsModule } from '../accounts/accounts.module.js';
import { AuditModule } from '../audit/audit.module.js';
import { BalancesModule } from '../balance/balances.module.js';
import { DashboardUsersModule } from '../dashboard-users/dashboard-users.module.js';
import { DisposableKeysModule } from '../disposable-keys/disposable-keys.module.js';
import { DoctorModule } from '../doctor/doctor.module.js';
import { EntitlementsModule } from '../entitlements/entitlements.module.js';
import { FeaturesModule } from '../features/features.module.js';
import { MediaCommandsModule } from '../media-commands/media-commands.module.js';
import { NodesModule } from '../nodes/nodes.module.js';
import { PlaybackOpeningModule } from '../playbacks/playback-opening.module.js';
import { RoomEndingModule } from '../room-ending/room-ending.module.js';
import { SigningKeysModule } from '../signing-keys/signing-keys.module.js';
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

/** `/admin/v1`, for whoever runs the platform. */
@Module({
  imports: [
    AccountLimitsModule,
    AccountsModule,
    AuditModule,
    BalancesModule,
    DashboardUsersModule,
    DisposableKeysModule,
    DoctorModule,
    EntitlementsModule,
    FeaturesModule,
    NodesModule,
    PlaybackOpeningModule,
    RoomEndingModule,
    MediaCommandsModule,
    SigningKeysModule,
  ],
  controllers: [
    AdminAccountsController,
    AdminKeysController,
    AdminDisposableKeysController,
    AdminDashboardUsersController,
    AdminMinutesController,
    AdminLimitsController,
    AdminFeaturesController,
    AdminNodesController,
    AdminDoctorController,
    AdminSecretsController,
    AdminSigningKeysController,
  ],
})
export class AdminModule {}
