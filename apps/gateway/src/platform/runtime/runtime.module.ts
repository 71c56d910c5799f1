import { Global, Module, type DynamicModule } from '@nestjs/common';
import type { Bus } from '@rtms/bus';
import { systemClock, type Clock } from '@rtms/clock';
import type { Logger } from '@rtms/logging';
import { GATEWAY_CONFIG, type GatewayConfig } from '../../gateway.config.js';

/** `@Inject(BUS) bus: Bus`, connected. The creator of the application closes it. */
export const BUS = Symbol('Bus');
/** `@Inject(LOGGER) logger: Logger`. */
export const LOGGER = Symbol('Logger');
/** `@Inject(CLOCK) clock: Clock`. */
export const CLOCK = Symbol('Clock');

export interface GatewayRuntime {
  config: GatewayConfig;
  bus: Bus;
  logger: Logger;
  /** Default: the system clock. */
  clock?: Clock;
}

/** Provides the objects that exist before the application to every module. */
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
