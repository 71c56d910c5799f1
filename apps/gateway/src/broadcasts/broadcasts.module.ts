import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { MediaCommandsModule } from '../media-commands/media-commands.module.js';
import { BroadcastLifecycle } from './broadcast-lifecycle.service.js';
import { Broadcast } from './broadcast.entity.js';

/** Broadcasts for the other parts; the routes stand in BroadcastsApiModule, which also needs their sources. */
@Module({
  imports: [TypeOrmModule.forFeature([Broadcast]), MediaCommandsModule],
  providers: [BroadcastLifecycle],
  exports: [BroadcastLifecycle],
})
export class BroadcastsModule {}
