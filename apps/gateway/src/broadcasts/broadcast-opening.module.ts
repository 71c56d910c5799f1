import { Module } from '@nestjs/common';
import { ExternalSessionsModule } from '../external-sessions/external-sessions.module.js';
import { MediaCommandsModule } from '../media-commands/media-commands.module.js';
import { NodesModule } from '../nodes/nodes.module.js';
import { BroadcastOpening } from './broadcast-opening.service.js';

/** Needs the sources, which in turn need BroadcastsModule: so it stands apart from that. */
@Module({
  imports: [ExternalSessionsModule, MediaCommandsModule, NodesModule],
  providers: [BroadcastOpening],
  exports: [BroadcastOpening],
})
export class BroadcastOpeningModule {}
