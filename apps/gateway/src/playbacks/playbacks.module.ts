import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { MediaCommandsModule } from '../media-commands/media-commands.module.js';
import { PlaybackLifecycle } from './playback-lifecycle.service.js';
import { Playback } from './playback.entity.js';

/** Playbacks for the other parts; the routes stand in PlaybacksApiModule, which also needs their sources. */
@Module({
  imports: [TypeOrmModule.forFeature([Playback]), MediaCommandsModule],
  providers: [PlaybackLifecycle],
  exports: [PlaybackLifecycle],
})
export class PlaybacksModule {}
