import { Module } from '@nestjs/common';
import { ExternalSessionsModule } from '../external-sessions/external-sessions.module.js';
import { MediaCommandsModule } from '../media-commands/media-commands.module.js';
import { PlaybackOpening } from './playback-opening.service.js';

/** Needs the sources, which in turn need PlaybacksModule: so it stands apart from that. */
@Module({
  imports: [ExternalSessionsModule, MediaCommandsModule],
  providers: [PlaybackOpening],
  exports: [PlaybackOpening],
})
export class PlaybackOpeningModule {}
