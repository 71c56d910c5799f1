import { Global, Module } from '@nestjs/common';
import { IdempotencySweeper } from './idempotency-sweeper.service.js';
import { IdempotencyService } from './idempotency.service.js';
import { IdempotentRequestsStore } from './idempotent-requests.store.js';

/** `Idempotency-Key` on every POST; each is made with `IdempotentPost`, or with `Action`. */
@Global()
@Module({
  providers: [IdempotentRequestsStore, IdempotencyService, IdempotencySweeper],
  exports: [IdempotencyService],
})
export class IdempotencyModule {}
