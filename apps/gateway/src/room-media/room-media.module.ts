import { Module } from '@nestjs/common';
import { MediaCommandsModule } from '../media-commands/media-commands.module.js';
import { NodesModule } from '../nodes/nodes.module.js';
import { RoomLifeModule } from '../room-life/room-life.module.js';
import { MemberMedia } from './member-media.service.js';
import { MuteService } from './mute.service.js';
import { NodeMedia } from './node-media.service.js';
import { Publishers } from './publishers.service.js';
import { RoomHomesModule } from './room-homes.module.js';
import { RoomMediaNews } from './room-media-news.service.js';
import { RosterTracks } from './roster-tracks.service.js';

/** Members' audio and video. */
@Module({
  imports: [MediaCommandsModule, NodesModule, RoomHomesModule, RoomLifeModule],
  providers: [MemberMedia, MuteService, NodeMedia, Publishers, RoomMediaNews, RosterTracks],
  exports: [MemberMedia, MuteService, Publishers],
})
export class RoomMediaModule {}
