import { Module, type DynamicModule } from '@nestjs/common';
import { TerminusModule } from '@nestjs/terminus';
import { HealthController } from './health.controller.js';
import { healthOptions, type HealthOptions } from './health-checks.js';
import { HttpMetrics } from './http-metrics.js';
import { MetricsController } from './metrics.controller.js';
import { MetricsRegistry } from './metrics-registry.js';
import { Readiness } from './readiness.js';

/**
 * GET /healthz (the process answers), GET /readyz (every check holds) and GET /metrics. Gives `Readiness`,
 * `MetricsRegistry` and `HttpMetrics` to all modules.
 *
 *     HealthModule.forRoot({ checks: { bus: () => bus.isConnected() } })
 */
@Module({})
export class HealthModule {
  static forRoot(options: HealthOptions): DynamicModule {
    return {
      module: HealthModule,
      global: true,
      imports: [TerminusModule.forRoot({ logger: false })],
      controllers: [HealthController, MetricsController],
      providers: [
        { provide: healthOptions, useValue: options },
        { provide: Readiness, useFactory: () => new Readiness(options.checks) },
        { provide: MetricsRegistry, useFactory: () => new MetricsRegistry() },
        {
          provide: HttpMetrics,
          inject: [MetricsRegistry],
          useFactory: (registry: MetricsRegistry) => new HttpMetrics(registry, options.mounts),
        },
      ],
      exports: [Readiness, MetricsRegistry, HttpMetrics],
    };
  }
}
