import { Controller, Get, Header, Inject, Req } from '@nestjs/common';
import { ServiceError } from '@rtms/contracts';
import type { IncomingMessage } from 'node:http';
import { Registry } from 'prom-client';
import { healthOptions, type HealthOptions } from './readiness.js';
import { isManagementRequest } from './management-port.js';
import { MetricsRegistry } from './metrics-registry.js';

@Controller('metrics')
export class MetricsController {
  constructor(
    @Inject(healthOptions) private readonly options: HealthOptions,
    private readonly registry: MetricsRegistry,
  ) {}

  /** Metrics in Prometheus's text format. */
  @Get()
  @Header('Content-Type', Registry.PROMETHEUS_CONTENT_TYPE)
  metrics(@Req() request: IncomingMessage): Promise<string> {
    if (this.options.hidesMetrics === true && !isManagementRequest(request)) {
      throw new ServiceError('not_found', 'There is nothing at this address.');
    }
    return this.registry.text();
  }
}
