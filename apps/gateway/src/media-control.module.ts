import { Module } from '@nestjs/common';
import { BroadcastsApiModule } from './broadcasts/broadcasts-api.module.js';
import { ExternalSessionsApiModule } from './external-sessions/external-sessions-api.module.js';
import { FactsModule } from './facts/facts.module.js';
import { MeteringModule } from './metering/metering.module.js';
import { PlaybacksApiModule } from './playbacks/playbacks-api.module.js';
import { ReconcilerModule } from './reconciler/reconciler.module.js';

/** The control of external media: its routes, what the workers report, what keeps both true, and what it uses up. */
@Module({
  imports: [
    ExternalSessionsApiModule,
    PlaybacksApiModule,
    BroadcastsApiModule,
    FactsModule,
    ReconcilerModule,
    MeteringModule,
  ],
})
export class MediaControlModule {}
