import { Module } from '@nestjs/common';
import { RoomEndingModule } from '../room-ending/room-ending.module.js';
import { SigningKeysModule } from '../signing-keys/signing-keys.module.js';
import { JoinTicketsService } from './join-tickets.service.js';
import { RoomRequestsService } from './room-requests.service.js';
import { RoomsController } from './rooms.controller.js';
import { RoomsModule } from './rooms.module.js';

/** `/v1/rooms`. */
@Module({
  imports: [RoomsModule, RoomEndingModule, SigningKeysModule],
  providers: [RoomRequestsService, JoinTicketsService],
  controllers: [RoomsController],
})
export class RoomsApiModule {}
