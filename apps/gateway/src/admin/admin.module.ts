import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { FeaturesModule } from '../features/features.module.js';
import { MediaCommandsModule } from '../media-commands/media-commands.module.js';
import { NodesModule } from '../nodes/nodes.module.js';
import { SigningKeysModule } from '../signing-keys/signing-keys.module.js';
import { AdminAccountsController } from './admin-accounts.controller.js';
import { AdminFeaturesController } from './admin-features.controller.js';
import { AdminKeysController } from './admin-keys.controller.js';
import { AdminNodesController } from './admin-nodes.controller.js';
import { AdminSigningKeysController } from './admin-signing-keys.controller.js';

/** `/admin/v1`, for whoever runs the platform. */
@Module({
  imports: [AccountsModule, FeaturesModule, NodesModule, MediaCommandsModule, SigningKeysModule],
  controllers: [
    AdminAccountsController,
    AdminKeysController,
    AdminFeaturesController,
    AdminNodesController,
    AdminSigningKeysController,
  ],
})
export class AdminModule {}
