import { Module } from '@nestjs/common';
import { AttemptCounts } from './attempt-counts.store.js';
import { RateLimitCountsStore } from './rate-limit-counts.store.js';
import { RateLimiter } from './rate-limiter.service.js';

@Module({ providers: [AttemptCounts, RateLimitCountsStore, RateLimiter], exports: [AttemptCounts, RateLimiter] })
export class RateLimitsModule {}
