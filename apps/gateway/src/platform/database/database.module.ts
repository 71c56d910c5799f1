import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import type { Logger } from '@rtms/logging';
import { DataSource } from 'typeorm';
import { GATEWAY_CONFIG, type GatewayConfig } from '../../gateway.config.js';
import { LOGGER } from '../runtime/runtime.module.js';
import { AdvisoryLocksService } from './advisory-locks.service.js';
import { addBackgroundPool } from './connection-pools.js';
import { databaseOptions } from './data-source.js';
import { DatabaseReadinessService } from './database-readiness.service.js';

/** Provides the DataSource. Each domain's module registers its entities with `TypeOrmModule.forFeature`. */
@Global()
@Module({
  imports: [
    TypeOrmModule.forRootAsync({
      inject: [GATEWAY_CONFIG, LOGGER],
      useFactory: (config: GatewayConfig, logger: Logger) => ({
        ...databaseOptions(config.databaseUrl, logger),
        autoLoadEntities: true,
        retryAttempts: 0,
      }),
      dataSourceFactory: async options => {
        if (!options) throw new Error('The database has no options.');
        return addBackgroundPool(await new DataSource(options).initialize());
      },
    }),
  ],
  providers: [AdvisoryLocksService, DatabaseReadinessService],
  exports: [AdvisoryLocksService, DatabaseReadinessService],
})
export class DatabaseModule {}
