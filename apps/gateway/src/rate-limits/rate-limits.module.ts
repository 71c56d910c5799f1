import { Module } from '@nestjs/common';
import { RateLimitCountsStore } from './rate-limit-counts.store.js';
import { RateLimiter } from './rate-limiter.service.js';

@Module({ providers: [RateLimitCountsStore, RateLimiter], exports: [RateLimiter] })
export class RateLimitsModule {}
