import { Module } from '@nestjs/common';
import { ExternalSessionsModule } from '../external-sessions/external-sessions.module.js';
import { MediaCommandsModule } from '../media-commands/media-commands.module.js';
import { UsageLedgerModule } from '../metering/usage-ledger.module.js';
import { ParticipantsModule } from '../participants/participants.module.js';
import { RoomEventsModule } from '../room-life/room-events.module.js';
import { RoomsModule } from '../rooms/rooms.module.js';
import { RoomEndingService } from './room-ending.service.js';

@Module({
  imports: [
    RoomsModule,
    ExternalSessionsModule,
    MediaCommandsModule,
    ParticipantsModule,
    RoomEventsModule,
    UsageLedgerModule,
  ],
  providers: [RoomEndingService],
  exports: [RoomEndingService],
})
export class RoomEndingModule {}
