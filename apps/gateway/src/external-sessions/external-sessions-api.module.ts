import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountLimitsModule } from '../account-limits/account-limits.module.js';
import { BalancesModule } from '../balance/balances.module.js';
import { EntitlementsModule } from '../entitlements/entitlements.module.js';
import { FeaturesModule } from '../features/features.module.js';
import { MediaCommandsModule } from '../media-commands/media-commands.module.js';
import { NodesModule } from '../nodes/nodes.module.js';
import { JoinTicketsModule } from '../rooms/join-tickets.module.js';
import { RoomsModule } from '../rooms/rooms.module.js';
import { SigningKeysModule } from '../signing-keys/signing-keys.module.js';
import { DashboardSessionStatisticsController } from './dashboard-session-statistics.controller.js';
import { ExternalSession } from './external-session.entity.js';
import { ExternalSessionsController } from './external-sessions.controller.js';
import { ExternalSessionsModule } from './external-sessions.module.js';
import { ExternalSessionsService } from './external-sessions.service.js';
import { SessionOpening } from './session-opening.service.js';
import { SessionStatisticsService } from './session-statistics.service.js';
import { SessionTracksController } from './session-tracks.controller.js';
import { SessionTracks } from './session-tracks.service.js';

/** `/v1/meetings/:meetingID/external-sessions`, and what the dashboard watches of them. */
@Module({
  imports: [
    TypeOrmModule.forFeature([ExternalSession]),
    AccountLimitsModule,
    ExternalSessionsModule,
    AccountLimitsModule,
    BalancesModule,
    EntitlementsModule,
    FeaturesModule,
    JoinTicketsModule,
    MediaCommandsModule,
    NodesModule,
    RoomsModule,
    SigningKeysModule,
  ],
  providers: [ExternalSessionsService, SessionOpening, SessionStatisticsService, SessionTracks],
  controllers: [ExternalSessionsController, SessionTracksController, DashboardSessionStatisticsController],
})
export class ExternalSessionsApiModule {}
