import { Module } from '@nestjs/common';
import { AccountLimitsModule } from '../account-limits/account-limits.module.js';
import { ExternalSessionsModule } from '../external-sessions/external-sessions.module.js';
import { MediaCommandsModule } from '../media-commands/media-commands.module.js';
import { NodesModule } from '../nodes/nodes.module.js';
import { RoomHomesModule } from '../room-media/room-homes.module.js';
import { BroadcastOpening } from './broadcast-opening.service.js';
import { BroadcastSources } from './broadcast-sources.service.js';
import { BroadcastsModule } from './broadcasts.module.js';
import { MemberBroadcasts } from './member-broadcasts.service.js';

/** Needs the sources, which in turn need BroadcastsModule: so it stands apart from that. */
@Module({
  imports: [
    AccountLimitsModule,
    BroadcastsModule,
    ExternalSessionsModule,
    MediaCommandsModule,
    NodesModule,
    RoomHomesModule,
  ],
  providers: [BroadcastOpening, BroadcastSources, MemberBroadcasts],
  exports: [BroadcastOpening, BroadcastSources, MemberBroadcasts],
})
export class BroadcastOpeningModule {}
