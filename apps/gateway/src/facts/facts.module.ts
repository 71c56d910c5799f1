import { Module } from '@nestjs/common';
import { BroadcastsModule } from '../broadcasts/broadcasts.module.js';
import { ExternalSessionsModule } from '../external-sessions/external-sessions.module.js';
import { PlaybacksModule } from '../playbacks/playbacks.module.js';
import { RecordingLifecycleModule } from '../recordings/recording-lifecycle.module.js';
import { EndpointStates } from './endpoint-states.service.js';
import { FactBacklog } from './fact-backlog.service.js';
import { FactRouter } from './fact-router.service.js';
import { FactsConsumer } from './facts-consumer.service.js';

@Module({
  imports: [ExternalSessionsModule, PlaybacksModule, BroadcastsModule, RecordingLifecycleModule],
  providers: [EndpointStates, FactBacklog, FactRouter, FactsConsumer],
  exports: [FactBacklog, FactsConsumer],
})
export class FactsModule {}
