import { Module } from '@nestjs/common';
import { BalancesModule } from '../balance/balances.module.js';
import { FactsModule } from '../facts/facts.module.js';
import { MediaCommandsModule } from '../media-commands/media-commands.module.js';
import { NodesModule } from '../nodes/nodes.module.js';
import { RecordingLifecycleModule } from '../recordings/recording-lifecycle.module.js';
import { RoomEndingModule } from '../room-ending/room-ending.module.js';
import { MeteringTask } from './metering-task.service.js';
import { Settlement } from './settlement.service.js';

@Module({
  imports: [BalancesModule, FactsModule, MediaCommandsModule, NodesModule, RecordingLifecycleModule, RoomEndingModule],
  providers: [MeteringTask, Settlement],
})
export class MeteringModule {}
