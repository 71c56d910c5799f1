import { Controller, Get } from '@nestjs/common';
import { HealthCheckService, type HealthCheckResult } from '@nestjs/terminus';
import { ServiceError } from '@rtms/contracts';
import { Readiness, type PartState } from './readiness.js';

@Controller()
export class HealthController {
  constructor(
    private readonly health: HealthCheckService,
    private readonly readiness: Readiness,
  ) {}

  /** Liveness: the process runs, so a restart would not help. */
  @Get('healthz')
  live(): Promise<HealthCheckResult> {
    return this.health.check([]);
  }

  /** Readiness: the service can serve what it holds. The response names all parts, also those that readiness does not need. */
  @Get('readyz')
  async ready(): Promise<HealthCheckResult> {
    const parts = await this.readiness.parts();
    if (parts.some(({ isNeeded, isUp }) => isNeeded && !isUp)) throw notReady(parts);
    return {
      status: 'ok',
      info: states(parts.filter(({ isUp }) => isUp)),
      error: states(parts.filter(({ isUp }) => !isUp)),
      details: states(parts),
    };
  }
}

function states(parts: readonly PartState[]): HealthCheckResult['details'] {
  return Object.fromEntries(parts.map(({ name, isUp }) => [name, { status: isUp ? 'up' : 'down' }]));
}

function notReady(parts: readonly PartState[]): ServiceError {
  const down = (needed: boolean): string =>
    parts.flatMap(({ name, isUp, isNeeded }) => (!isUp && isNeeded === needed ? [name] : [])).join(', ');
  const also = down(false) && ` Also down: ${down(false)}.`;
  return new ServiceError('dependency_unavailable', `Not ready: ${down(true)}.${also}`);
}
