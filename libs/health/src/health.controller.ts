import { Controller, Get, ServiceUnavailableException } from '@nestjs/common';
import {
  HealthCheckService,
  HealthIndicatorService,
  type HealthCheckResult,
  type HealthIndicatorResult,
} from '@nestjs/terminus';
import { ServiceError } from '@rtms/contracts';
import { Readiness, type PartState } from './readiness.js';

@Controller()
export class HealthController {
  constructor(
    private readonly health: HealthCheckService,
    private readonly indicators: HealthIndicatorService,
    private readonly readiness: Readiness,
  ) {}

  /** Liveness: the process runs, so a restart would not help. */
  @Get('healthz')
  live(): Promise<HealthCheckResult> {
    return this.health.check([]);
  }

  /** Readiness: the service may receive work. */
  @Get('readyz')
  async ready(): Promise<HealthCheckResult> {
    const parts = await this.readiness.parts();
    try {
      return await this.health.check(parts.map(part => () => this.indicate(part)));
    } catch (error) {
      throw error instanceof ServiceUnavailableException ? notReady(parts) : error;
    }
  }

  private indicate({ name, isUp }: PartState): HealthIndicatorResult {
    const indicator = this.indicators.check(name);
    return isUp ? indicator.up() : indicator.down();
  }
}

function notReady(parts: readonly PartState[]): ServiceError {
  const missing = parts.filter(({ isUp }) => !isUp).map(({ name }) => name);
  return new ServiceError('dependency_unavailable', `Not ready: ${missing.join(', ')}.`);
}
