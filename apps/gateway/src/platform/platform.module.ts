import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { GATEWAY_CONFIG } from '../gateway.config.js';
import { DatabaseModule } from './database/database.module.js';
import { MEDIA_SETTINGS, mediaSettingsOf } from './runtime/media-settings.js';
import { IdempotencyService } from './idempotency/idempotency.service.js';
import { IdempotentRequestsRepository } from './idempotency/idempotent-requests.repository.js';
import { Pace } from './jobs/pace.js';
import { ResourceChangesService } from './changes/resource-changes.service.js';
import { DomainEvents } from './runtime/domain-events.js';
import { AttemptCountsRepository } from './limits/attempt-counts.repository.js';
import { GuessWaitsRepository } from './limits/guess-waits.repository.js';
import { RateLimitCountsRepository } from './limits/rate-limit-counts.repository.js';
import { RateLimiterService } from './limits/rate-limiter.service.js';
import { OpenApiController } from './openapi/openapi.controller.js';
import { ListCountsFoldingService } from './rows/list-counts-folding.service.js';
import { DeletedRecord } from './rows/own-row.js';
import { KeyedHasher } from './secrets/keyed-hasher.js';
import { SecretRotationService } from './secrets/secret-rotation.service.js';
import { SecretVault } from './secrets/secret-vault.js';
import { WorkerCommandsService } from './workers/worker-commands.service.js';

const mediaSettings = { provide: MEDIA_SETTINGS, useFactory: mediaSettingsOf, inject: [GATEWAY_CONFIG] };

const services = [
  DomainEvents,
  IdempotencyService,
  IdempotentRequestsRepository,
  Pace,
  AttemptCountsRepository,
  GuessWaitsRepository,
  RateLimitCountsRepository,
  RateLimiterService,
  ResourceChangesService,
  ListCountsFoldingService,
  KeyedHasher,
  SecretRotationService,
  SecretVault,
  WorkerCommandsService,
];

/** Serves every domain and knows none: HTTP, the database, secrets, limits, jobs, commands to media nodes. */
@Global()
@Module({
  imports: [DatabaseModule, TypeOrmModule.forFeature([DeletedRecord])],
  controllers: [OpenApiController],
  providers: [...services, mediaSettings],
  exports: [...services, mediaSettings],
})
export class PlatformModule {}
