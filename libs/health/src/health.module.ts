import { Module, type DynamicModule } from '@nestjs/common';
import { TerminusModule } from '@nestjs/terminus';
import { HealthController } from './health.controller.js';
import { healthChecks, type HealthChecks } from './health-checks.js';
import { MetricsController } from './metrics.controller.js';

export type { HealthCheck, HealthChecks } from './health-checks.js';

/**
 * GET /health/live (the process answers), GET /health/ready (every check holds) and GET /metrics.
 *
 *     HealthModule.forRoot({ checks: { bus: () => bus.isConnected() } })
 */
@Module({})
export class HealthModule {
  static forRoot({ checks }: { checks: HealthChecks }): DynamicModule {
    return {
      module: HealthModule,
      imports: [TerminusModule.forRoot({ logger: false })],
      controllers: [HealthController, MetricsController],
      providers: [{ provide: healthChecks, useValue: checks }],
    };
  }
}
