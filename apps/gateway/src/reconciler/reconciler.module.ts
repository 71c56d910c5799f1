import { Module } from '@nestjs/common';
import { AccountLimitsModule } from '../account-limits/account-limits.module.js';
import { BackgroundModule } from '../background/background.module.js';
import { BroadcastOpeningModule } from '../broadcasts/broadcast-opening.module.js';
import { BroadcastsModule } from '../broadcasts/broadcasts.module.js';
import { ExternalSessionsModule } from '../external-sessions/external-sessions.module.js';
import { FactsModule } from '../facts/facts.module.js';
import { MediaCommandsModule } from '../media-commands/media-commands.module.js';
import { UsageLedgerModule } from '../metering/usage-ledger.module.js';
import { NodesModule } from '../nodes/nodes.module.js';
import { PlaybackOpeningModule } from '../playbacks/playback-opening.module.js';
import { PlaybacksModule } from '../playbacks/playbacks.module.js';
import { RecordingLifecycleModule } from '../recordings/recording-lifecycle.module.js';
import { RecordingOpeningModule } from '../recordings/recording-opening.module.js';
import { RoomEndingModule } from '../room-ending/room-ending.module.js';
import { RoomsModule } from '../rooms/rooms.module.js';
import { BroadcastRepair } from './broadcast-repair.service.js';
import { PlaybackRepair } from './playback-repair.service.js';
import { Reconciler } from './reconciler.service.js';
import { RecordingRepair } from './recording-repair.service.js';
import { RoomEvacuation } from './room-evacuation.service.js';
import { RoomReturn } from './room-return.service.js';
import { SessionRepair } from './session-repair.service.js';
import { SnapshotTaker } from './snapshot-taker.service.js';
import { Sweeper } from './sweeper.service.js';

@Module({
  imports: [
    AccountLimitsModule,
    BackgroundModule,
    BroadcastOpeningModule,
    BroadcastsModule,
    ExternalSessionsModule,
    FactsModule,
    MediaCommandsModule,
    NodesModule,
    PlaybackOpeningModule,
    PlaybacksModule,
    RecordingLifecycleModule,
    RecordingOpeningModule,
    RoomEndingModule,
    RoomsModule,
    UsageLedgerModule,
  ],
  providers: [
    Reconciler,
    Sweeper,
    SnapshotTaker,
    SessionRepair,
    PlaybackRepair,
    BroadcastRepair,
    RecordingRepair,
    RoomEvacuation,
    RoomReturn,
  ],
  exports: [Reconciler],
})
export class ReconcilerModule {}
