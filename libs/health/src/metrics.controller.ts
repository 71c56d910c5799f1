import { Controller, Get, Header } from '@nestjs/common';
import { collectDefaultMetrics, register } from 'prom-client';

/** One register serves the process; its own numbers are collected once, however many applications run in it. */
let isCollecting = false;

@Controller('metrics')
export class MetricsController {
  constructor() {
    if (!isCollecting) collectDefaultMetrics();
    isCollecting = true;
  }

  /** Prometheus's text format. */
  @Get()
  @Header('Content-Type', register.contentType)
  metrics(): Promise<string> {
    return register.metrics();
  }
}
