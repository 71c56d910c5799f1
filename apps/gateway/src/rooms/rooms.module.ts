import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountLimitsModule } from '../account-limits/account-limits.module.js';
import { RoomPlaces } from './room-places.service.js';
import { RoomStateService } from './room-state.service.js';
import { Room } from './room.entity.js';
import { RoomsService } from './rooms.service.js';

/** Rooms for the other parts; the routes stand in RoomsApiModule, which also needs what runs in a room. */
@Module({
  imports: [TypeOrmModule.forFeature([Room]), AccountLimitsModule],
  providers: [RoomPlaces, RoomsService, RoomStateService],
  exports: [RoomPlaces, RoomsService, RoomStateService],
})
export class RoomsModule {}
