import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { BalancesModule } from '../balance/balances.module.js';
import { EntitlementsModule } from '../entitlements/entitlements.module.js';
import { ExternalSessionsModule } from '../external-sessions/external-sessions.module.js';
import { UsageLedgerModule } from '../metering/usage-ledger.module.js';
import { RoomsModule } from '../rooms/rooms.module.js';
import { Recording } from './recording.entity.js';
import { RecordingsController } from './recordings.controller.js';
import { RecordingsService } from './recordings.service.js';

/** `/v1/recordings`. */
@Module({
  imports: [
    TypeOrmModule.forFeature([Recording]),
    BalancesModule,
    EntitlementsModule,
    ExternalSessionsModule,
    RoomsModule,
    UsageLedgerModule,
  ],
  providers: [RecordingsService],
  controllers: [RecordingsController],
})
export class RecordingsModule {}
