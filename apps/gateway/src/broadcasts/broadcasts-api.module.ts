import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { BalancesModule } from '../balance/balances.module.js';
import { EntitlementsModule } from '../entitlements/entitlements.module.js';
import { FeaturesModule } from '../features/features.module.js';
import { MediaCommandsModule } from '../media-commands/media-commands.module.js';
import { NodesModule } from '../nodes/nodes.module.js';
import { RoomsModule } from '../rooms/rooms.module.js';
import { SigningKeysModule } from '../signing-keys/signing-keys.module.js';
import { BroadcastOpeningModule } from './broadcast-opening.module.js';
import { Broadcast } from './broadcast.entity.js';
import { BroadcastsController } from './broadcasts.controller.js';
import { BroadcastsModule } from './broadcasts.module.js';
import { BroadcastsService } from './broadcasts.service.js';

/** `/v1/meetings/:meetingID/broadcasts`. */
@Module({
  imports: [
    TypeOrmModule.forFeature([Broadcast]),
    BalancesModule,
    EntitlementsModule,
    FeaturesModule,
    MediaCommandsModule,
    NodesModule,
    BroadcastOpeningModule,
    BroadcastsModule,
    RoomsModule,
    SigningKeysModule,
  ],
  providers: [BroadcastsService],
  controllers: [BroadcastsController],
})
export class BroadcastsApiModule {}
