import { Controller, Get, Inject } from '@nestjs/common';
import {
  HealthCheckService,
  HealthIndicatorService,
  type HealthCheckResult,
  type HealthIndicatorResult,
} from '@nestjs/terminus';
import { healthChecks, type HealthCheck, type HealthChecks } from './health-checks.js';

@Controller('health')
export class HealthController {
  constructor(
    private readonly health: HealthCheckService,
    private readonly indicators: HealthIndicatorService,
    @Inject(healthChecks) private readonly checks: HealthChecks,
  ) {}

  /** The process runs; restarting it would not make anything better. */
  @Get('live')
  live(): Promise<HealthCheckResult> {
    return this.health.check([]);
  }

  /** Work may be sent here. */
  @Get('ready')
  ready(): Promise<HealthCheckResult> {
    return this.health.check(
      Object.entries(this.checks).map(
        ([name, check]) =>
          () =>
            this.run(name, check),
      ),
    );
  }

  private async run(name: string, check: HealthCheck): Promise<HealthIndicatorResult> {
    const isUp = await Promise.resolve()
      .then(check)
      .catch(() => false);
    const indicator = this.indicators.check(name);
    return isUp ? indicator.up() : indicator.down();
  }
}
