import { Global, Module, type DynamicModule } from '@nestjs/common';
import type { Bus } from '@rtms/bus';
import type { Logger } from '@rtms/logging';
import { BUS } from './bus/bus.token.js';
import { GATEWAY_CONFIG, type GatewayConfig } from './gateway.config.js';

/** `@Inject(LOGGER) logger: Logger`. */
export const LOGGER = Symbol('Logger');

export interface GatewayRuntime {
  config: GatewayConfig;
  /** Connected; whoever made the application closes it. */
  bus: Bus;
  logger: Logger;
}

/** What was made before the application and every module may ask for. */
@Global()
@Module({})
export class RuntimeModule {
  static forRoot({ config, bus, logger }: GatewayRuntime): DynamicModule {
    const providers = [
      { provide: GATEWAY_CONFIG, useValue: config },
      { provide: BUS, useValue: bus },
      { provide: LOGGER, useValue: logger },
    ];
    return { module: RuntimeModule, providers, exports: providers };
  }
}
