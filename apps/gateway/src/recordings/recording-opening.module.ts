import { Module } from '@nestjs/common';
import { AccountLimitsModule } from '../account-limits/account-limits.module.js';
import { ExternalSessionsModule } from '../external-sessions/external-sessions.module.js';
import { MediaCommandsModule } from '../media-commands/media-commands.module.js';
import { NodesModule } from '../nodes/nodes.module.js';
import { RecordingOpening } from './recording-opening.service.js';
import { RecordingSources } from './recording-sources.service.js';

/** Needs the sources, which in turn need RecordingLifecycleModule: so it stands apart from that. */
@Module({
  imports: [AccountLimitsModule, ExternalSessionsModule, MediaCommandsModule, NodesModule],
  providers: [RecordingOpening, RecordingSources],
  exports: [RecordingOpening, RecordingSources],
})
export class RecordingOpeningModule {}
