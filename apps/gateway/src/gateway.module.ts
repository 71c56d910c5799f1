import { Module, type DynamicModule } from '@nestjs/common';
import { HealthModule } from '@rtms/health';
import { AdminModule } from './admin/admin.module.js';
import { AgentsModule } from './agents/agents.module.js';
import { AiCredentialsModule } from './ai-credentials/ai-credentials.module.js';
import { AuthModule } from './auth/auth.module.js';
import { BalancesModule } from './balance/balances.module.js';
import { BroadcastsApiModule } from './broadcasts/broadcasts-api.module.js';
import { DashboardModule } from './dashboard.module.js';
import { DatabaseModule } from './database/database.module.js';
import { DomainsModule } from './domains/domains.module.js';
import { EventSettingsModule } from './event-settings/event-settings.module.js';
import { GatewayMetricsModule } from './metrics/gateway-metrics.module.js';
import { OpenApiModule } from './openapi/openapi.module.js';
import { ExternalSessionsApiModule } from './external-sessions/external-sessions-api.module.js';
import { PlaybacksApiModule } from './playbacks/playbacks-api.module.js';
import { LogsModule } from './logs/logs.module.js';
import { IdempotencyModule } from './idempotency/idempotency.module.js';
import { MediaControlModule } from './media-control.module.js';
import { RateLimitsModule } from './rate-limits/rate-limits.module.js';
import { RecordingSettingsModule } from './recording-settings/recording-settings.module.js';
import { RetentionModule } from './retention/retention.module.js';
import { RecordingsModule } from './recordings/recordings.module.js';
import { RoomSocketModule } from './room-socket/room-socket.module.js';
import { RoomsApiModule } from './rooms/rooms-api.module.js';
import { RuntimeModule, type GatewayRuntime } from './runtime.module.js';
import { SecretsModule } from './secrets/secrets.module.js';
import { SessionParticipantsModule } from './session-participants/session-participants.module.js';
import { SipConfigsModule } from './sip-configs/sip-configs.module.js';
import { TranslationConfigsModule } from './translation-configs/translation-configs.module.js';
import { SubUsersModule } from './sub-users/sub-users.module.js';
import { MediaSettingsModule } from './settings/media-settings.module.js';

@Module({})
export class GatewayModule {
  static forRoot(runtime: GatewayRuntime): DynamicModule {
    const hidesMetrics = runtime.config.managementPort !== undefined;
    const checks = { bus: () => runtime.bus.isConnected() };
    return {
      module: GatewayModule,
      imports: [
        RuntimeModule.forRoot(runtime),
        MediaSettingsModule,
        DatabaseModule,
        SecretsModule,
        GatewayMetricsModule,
        HealthModule.forRoot({ checks, hidesMetrics, mounts: ['/v1', '/admin', '/dashboard', '/docs'] }),
        AuthModule,
        RateLimitsModule,
        IdempotencyModule,
        AdminModule,
        DashboardModule,
        OpenApiModule,
        DomainsModule,
        SubUsersModule,
        RoomsApiModule,
        RoomSocketModule,
        SessionParticipantsModule,
        EventSettingsModule,
        RecordingSettingsModule,
        MediaControlModule,
        ExternalSessionsApiModule,
        PlaybacksApiModule,
        BroadcastsApiModule,
        BalancesModule,
        RecordingsModule,
        RetentionModule,
        LogsModule,
        AiCredentialsModule,
        TranslationConfigsModule,
        AgentsModule,
        SipConfigsModule,
      ],
    };
  }
}
