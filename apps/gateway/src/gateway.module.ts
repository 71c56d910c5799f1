import { Module, type DynamicModule } from '@nestjs/common';
import { HealthModule } from '@rtms/health';
import { AccountsModule } from './accounts/accounts.module.js';
import { AdminModule } from './admin/admin.module.js';
import { DashboardModule } from './dashboard/dashboard.module.js';
import { EventsModule } from './events/events.module.js';
import { MediaModule } from './media/media.module.js';
import { PlatformModule } from './platform/platform.module.js';
import { RuntimeModule, type GatewayRuntime } from './platform/runtime/runtime.module.js';
import { RoomsModule } from './rooms/rooms.module.js';
import { SettingsModule } from './settings/settings.module.js';

/** The gateway's domains. Each may use those before it. */
@Module({})
export class GatewayModule {
  static forRoot(runtime: GatewayRuntime): DynamicModule {
    const hidesMetrics = runtime.config.managementPort !== undefined;
    const reports = { bus: () => runtime.bus.isConnected() };
    return {
      module: GatewayModule,
      imports: [
        RuntimeModule.forRoot(runtime),
        HealthModule.forRoot({ checks: {}, reports, hidesMetrics, mounts: ['/v1', '/admin', '/dashboard', '/docs'] }),
        PlatformModule,
        AccountsModule,
        SettingsModule,
        RoomsModule,
        MediaModule,
        EventsModule,
        DashboardModule,
        AdminModule,
      ],
    };
  }
}
