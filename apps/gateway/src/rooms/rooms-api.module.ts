import { Module } from '@nestjs/common';
import { BalancesModule } from '../balance/balances.module.js';
import { EventSettingsModule } from '../event-settings/event-settings.module.js';
import { ParticipantsModule } from '../participants/participants.module.js';
import { RateLimitsModule } from '../rate-limits/rate-limits.module.js';
import { RecordingSettingsModule } from '../recording-settings/recording-settings.module.js';
import { RoomEndingModule } from '../room-ending/room-ending.module.js';
import { JoinTicketsModule } from './join-tickets.module.js';
import { RoomJoining } from './room-joining.service.js';
import { RoomRequestsService } from './room-requests.service.js';
import { RoomsController } from './rooms.controller.js';
import { RoomsModule } from './rooms.module.js';
import { SecureCodes } from './secure-codes.service.js';

/** `/v1/rooms`. */
@Module({
  imports: [
    BalancesModule,
    EventSettingsModule,
    JoinTicketsModule,
    ParticipantsModule,
    RateLimitsModule,
    RecordingSettingsModule,
    RoomEndingModule,
    RoomsModule,
  ],
  providers: [RoomRequestsService, RoomJoining, SecureCodes],
  controllers: [RoomsController],
})
export class RoomsApiModule {}
