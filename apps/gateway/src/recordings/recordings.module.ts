import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { BalancesModule } from '../balance/balances.module.js';
import { EntitlementsModule } from '../entitlements/entitlements.module.js';
import { MediaCommandsModule } from '../media-commands/media-commands.module.js';
import { NodesModule } from '../nodes/nodes.module.js';
import { RecordingSettingsModule } from '../recording-settings/recording-settings.module.js';
import { RoomsModule } from '../rooms/rooms.module.js';
import { SigningKeysModule } from '../signing-keys/signing-keys.module.js';
import { DeletedRecording } from './deleted-recording.entity.js';
import { RecordingLifecycleModule } from './recording-lifecycle.module.js';
import { RecordingOpeningModule } from './recording-opening.module.js';
import { RecordingUpkeep } from './recording-upkeep.service.js';
import { Recording } from './recording.entity.js';
import { RecordingsController } from './recordings.controller.js';
import { RecordingsService } from './recordings.service.js';

/** `/v1/recordings`, and what recordings need from time to time. */
@Module({
  imports: [
    TypeOrmModule.forFeature([Recording, DeletedRecording]),
    BalancesModule,
    EntitlementsModule,
    MediaCommandsModule,
    NodesModule,
    RecordingLifecycleModule,
    RecordingOpeningModule,
    RecordingSettingsModule,
    RoomsModule,
    SigningKeysModule,
  ],
  providers: [RecordingsService, RecordingUpkeep],
  controllers: [RecordingsController],
})
export class RecordingsModule {}
