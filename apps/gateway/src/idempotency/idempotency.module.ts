import { Module } from '@nestjs/common';
import { APP_INTERCEPTOR } from '@nestjs/core';
import { IdempotencySweeper } from './idempotency-sweeper.service.js';
import { IdempotencyInterceptor } from './idempotency.interceptor.js';
import { IdempotencyService } from './idempotency.service.js';
import { IdempotentRequestsStore } from './idempotent-requests.store.js';

/** `Idempotency-Key` on every POST. */
@Module({
  providers: [
    IdempotentRequestsStore,
    IdempotencyService,
    IdempotencySweeper,
    { provide: APP_INTERCEPTOR, useClass: IdempotencyInterceptor },
  ],
})
export class IdempotencyModule {}
