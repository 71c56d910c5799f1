import { Module } from '@nestjs/common';
import { MediaCommandsModule } from '../media-commands/media-commands.module.js';
import { UsageLedgerModule } from '../metering/usage-ledger.module.js';
import { NodesModule } from '../nodes/nodes.module.js';
import { RecordingFilesService } from './recording-files.service.js';
import { RecordingLifecycle } from './recording-lifecycle.service.js';

/** Recordings for the parts that they depend on; the routes stand in RecordingsModule. */
@Module({
  imports: [MediaCommandsModule, NodesModule, UsageLedgerModule],
  providers: [RecordingFilesService, RecordingLifecycle],
  exports: [RecordingFilesService, RecordingLifecycle],
})
export class RecordingLifecycleModule {}
