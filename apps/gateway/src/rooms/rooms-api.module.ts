import { Module } from '@nestjs/common';
import { BalancesModule } from '../balance/balances.module.js';
import { EventSettingsModule } from '../event-settings/event-settings.module.js';
import { UsageLedgerModule } from '../metering/usage-ledger.module.js';
import { ParticipantsModule } from '../participants/participants.module.js';
import { RoomEndingModule } from '../room-ending/room-ending.module.js';
import { SigningKeysModule } from '../signing-keys/signing-keys.module.js';
import { JoinTicketsService } from './join-tickets.service.js';
import { RoomJoining } from './room-joining.service.js';
import { RoomRequestsService } from './room-requests.service.js';
import { RoomsController } from './rooms.controller.js';
import { RoomsModule } from './rooms.module.js';

/** `/v1/rooms`. */
@Module({
  imports: [
    BalancesModule,
    EventSettingsModule,
    ParticipantsModule,
    RoomEndingModule,
    RoomsModule,
    SigningKeysModule,
    UsageLedgerModule,
  ],
  providers: [RoomRequestsService, RoomJoining, JoinTicketsService],
  controllers: [RoomsController],
})
export class RoomsApiModule {}
