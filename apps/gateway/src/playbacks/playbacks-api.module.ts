import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { BalancesModule } from '../balance/balances.module.js';
import { EntitlementsModule } from '../entitlements/entitlements.module.js';
import { FeaturesModule } from '../features/features.module.js';
import { MediaCommandsModule } from '../media-commands/media-commands.module.js';
import { NodesModule } from '../nodes/nodes.module.js';
import { RoomsModule } from '../rooms/rooms.module.js';
import { SigningKeysModule } from '../signing-keys/signing-keys.module.js';
import { PlaybackOpeningModule } from './playback-opening.module.js';
import { Playback } from './playback.entity.js';
import { PlaybacksController } from './playbacks.controller.js';
import { PlaybacksModule } from './playbacks.module.js';
import { PlaybacksService } from './playbacks.service.js';

/** `/v1/meetings/:meetingID/playbacks`. */
@Module({
  imports: [
    TypeOrmModule.forFeature([Playback]),
    BalancesModule,
    EntitlementsModule,
    FeaturesModule,
    MediaCommandsModule,
    NodesModule,
    PlaybackOpeningModule,
    PlaybacksModule,
    RoomsModule,
    SigningKeysModule,
  ],
  providers: [PlaybacksService],
  controllers: [PlaybacksController],
})
export class PlaybacksApiModule {}
