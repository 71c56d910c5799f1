import { type DynamicModule, Module } from '@nestjs/common';
import { TerminusModule } from '@nestjs/terminus';
import { HealthController } from './health.controller.js';
import { healthOptions, type HealthOptions, Readiness } from './readiness.js';
import { HttpMetrics } from './http-metrics.js';
import { MetricsController } from './metrics.controller.js';
import { MetricsRegistry } from './metrics-registry.js';

/**
 * Serves GET /healthz (the process runs), GET /readyz (every condition holds) and GET /metrics. Exports `Readiness`,
 * `MetricsRegistry` and `HttpMetrics` to all modules.
 *
 *     HealthModule.forRoot({ checks: { workers: () => count > 0 }, reports: { bus: () => bus.isConnected() } })
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
        { provide: Readiness, useFactory: () => new Readiness(options) },
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
