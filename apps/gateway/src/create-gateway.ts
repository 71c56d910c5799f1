import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { NestLogger } from '@rtms/logging';
import { DataSource } from 'typeorm';
import { GatewayModule } from './gateway.module.js';
import { configureHttp } from './http/configure-http.js';
import type { GatewayRuntime } from './runtime.module.js';

/** The whole gateway, ready to take requests; the service and its tests make it in the same way. */
export async function createGateway(runtime: GatewayRuntime): Promise<NestExpressApplication> {
  const isDatabaseUp = () => hasSchema(app.get(DataSource));
  const app: NestExpressApplication = await NestFactory.create<NestExpressApplication>(
    GatewayModule.forRoot({ ...runtime, isDatabaseUp }),
    { bodyParser: false, abortOnError: false, logger: new NestLogger(runtime.logger) },
  );
  configureHttp(app, runtime.logger);
  return app.init();
}

/** A database without our tables cannot serve either. */
async function hasSchema(database: DataSource): Promise<boolean> {
  await database.query('SELECT 1 FROM platform_features LIMIT 1');
  return true;
}
