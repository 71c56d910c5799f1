import { Module } from '@nestjs/common';
import { AccountLimitsModule } from '../account-limits/account-limits.module.js';
import { ExternalSessionsModule } from '../external-sessions/external-sessions.module.js';
import { MediaCommandsModule } from '../media-commands/media-commands.module.js';
import { NodesModule } from '../nodes/nodes.module.js';
import { PlaybackOpening } from './playback-opening.service.js';
import { ViewerLimitsService } from './viewer-limits.service.js';

/** Needs the sources, which in turn need PlaybacksModule: so it stands apart from that. */
@Module({
  imports: [AccountLimitsModule, ExternalSessionsModule, MediaCommandsModule, NodesModule],
  providers: [PlaybackOpening, ViewerLimitsService],
  exports: [PlaybackOpening, ViewerLimitsService],
})
export class PlaybackOpeningModule {}
