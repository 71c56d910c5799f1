import { Module } from '@nestjs/common';
import { FactsModule } from '../facts/facts.module.js';
import { NodesModule } from '../nodes/nodes.module.js';
import { RateLimitsModule } from '../rate-limits/rate-limits.module.js';
import { ReconcilerModule } from '../reconciler/reconciler.module.js';
import { RoomSocketModule } from '../room-socket/room-socket.module.js';
import { GatewayMetrics } from './gateway-metrics.service.js';

@Module({
  imports: [FactsModule, NodesModule, RateLimitsModule, ReconcilerModule, RoomSocketModule],
  providers: [GatewayMetrics],
})
export class GatewayMetricsModule {}
