import { Module } from '@nestjs/common';
import { AttemptCounts } from './attempt-counts.store.js';
import { GuessWaits } from './guess-waits.store.js';
import { RateLimitCountsStore } from './rate-limit-counts.store.js';
import { RateLimiter } from './rate-limiter.service.js';

@Module({
  providers: [AttemptCounts, GuessWaits, RateLimitCountsStore, RateLimiter],
  exports: [AttemptCounts, GuessWaits, RateLimiter],
})
export class RateLimitsModule {}
