import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { BackgroundModule } from '../background/background.module.js';
import { BroadcastsModule } from '../broadcasts/broadcasts.module.js';
import { MediaCommandsModule } from '../media-commands/media-commands.module.js';
import { UsageLedgerModule } from '../metering/usage-ledger.module.js';
import { NodesModule } from '../nodes/nodes.module.js';
import { PlaybacksModule } from '../playbacks/playbacks.module.js';
import { RoomEventsModule } from '../room-life/room-events.module.js';
import { RoomHomesModule } from '../room-media/room-homes.module.js';
import { RecordingLifecycleModule } from '../recordings/recording-lifecycle.module.js';
import { ExternalSession } from './external-session.entity.js';
import { SessionFacts } from './session-facts.service.js';
import { SessionLifecycle } from './session-lifecycle.service.js';
import { SessionSources } from './session-sources.service.js';

/** External sessions for the other parts; the routes stand in ExternalSessionsApiModule. */
@Module({
  imports: [
    TypeOrmModule.forFeature([ExternalSession]),
    BackgroundModule,
    BroadcastsModule,
    MediaCommandsModule,
    NodesModule,
    PlaybacksModule,
    RecordingLifecycleModule,
    RoomEventsModule,
    RoomHomesModule,
    UsageLedgerModule,
  ],
  providers: [SessionFacts, SessionLifecycle, SessionSources],
  exports: [RoomEventsModule, RoomHomesModule, SessionFacts, SessionLifecycle, SessionSources],
})
export class ExternalSessionsModule {}
