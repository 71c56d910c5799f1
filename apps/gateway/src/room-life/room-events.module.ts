import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { StoredRoomEvent } from './room-event.entity.js';
import { RoomEventsStore } from './room-events.store.js';
import { RoomNewsBoard } from './room-news.js';
import { SessionNews } from './session-news.js';

/** The log of rooms, for whoever ends them. */
@Module({
  imports: [TypeOrmModule.forFeature([StoredRoomEvent])],
  providers: [RoomEventsStore, RoomNewsBoard, SessionNews],
  exports: [RoomEventsStore, RoomNewsBoard, SessionNews],
})
export class RoomEventsModule {}
