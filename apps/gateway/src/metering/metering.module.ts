import { Module } from '@nestjs/common';
import { BalancesModule } from '../balance/balances.module.js';
import { FactsModule } from '../facts/facts.module.js';
import { NodesModule } from '../nodes/nodes.module.js';
import { RoomEndingModule } from '../room-ending/room-ending.module.js';
import { MeteringTask } from './metering-task.service.js';
import { Settlement } from './settlement.service.js';

@Module({
  imports: [BalancesModule, FactsModule, NodesModule, RoomEndingModule],
  providers: [MeteringTask, Settlement],
})
export class MeteringModule {}
