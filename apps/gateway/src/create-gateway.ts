import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { NestLogger } from '@rtms/logging';
import { GatewayModule } from './gateway.module.js';
import { configureHttp } from './http/configure-http.js';
import type { GatewayRuntime } from './runtime.module.js';

/** The whole gateway, ready to take requests; the service and its tests make it in the same way. */
export async function createGateway(runtime: GatewayRuntime): Promise<NestExpressApplication> {
  const app = await NestFactory.create<NestExpressApplication>(GatewayModule.forRoot(runtime), {
    bodyParser: false,
    abortOnError: false,
    logger: new NestLogger(runtime.logger),
  });
  configureHttp(app, runtime.logger);
  return app.init();
}
