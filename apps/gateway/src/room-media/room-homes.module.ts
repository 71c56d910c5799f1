import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { NodesModule } from '../nodes/nodes.module.js';
import { RoomHomes } from './room-homes.service.js';
import { RoomMediaPlace } from './room-media.entity.js';

@Module({
  imports: [TypeOrmModule.forFeature([RoomMediaPlace]), NodesModule],
  providers: [RoomHomes],
  exports: [RoomHomes],
})
export class RoomHomesModule {}
