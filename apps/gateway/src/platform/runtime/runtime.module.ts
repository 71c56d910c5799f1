import { Global, Module, type DynamicModule } from '@nestjs/common';
import type { Bus } from '@rtms/bus';
import { systemClock, type Clock } from '@rtms/clock';
import type { Logger } from '@rtms/logging';
import { GATEWAY_CONFIG, type GatewayConfig } from '../../gateway.config.js';

/** `@Inject(BUS) bus: Bus`; connected, closed by whoever made the application. */
export const BUS = Symbol('Bus');
/** `@Inject(LOGGER) logger: Logger`. */
export const LOGGER = Symbol('Logger');
/** `@Inject(CLOCK) clock: Clock`. */
export const CLOCK = Symbol('Clock');

export interface GatewayRuntime {
  config: GatewayConfig;
  bus: Bus;
  logger: Logger;
  /** Default: the system's. */
  clock?: Clock;
}

/** What was made before the application and every module may ask for. */
@Global()
@Module({})
export class RuntimeModule {
  static forRoot({ config, bus, logger, clock = systemClock }: GatewayRuntime): DynamicModule {
    const providers = [
      { provide: GATEWAY_CONFIG, useValue: config },
      { provide: BUS, useValue: bus },
      { provide: LOGGER, useValue: logger },
      { provide: CLOCK, useValue: clock },
    ];
    return { module: RuntimeModule, providers, exports: providers };
  }
}
