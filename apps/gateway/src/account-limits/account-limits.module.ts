import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountLimitRow } from './account-limit.entity.js';
import { AccountQuotas } from './account-quotas.service.js';
import { AccountLimitsService } from './account-limits.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([AccountLimitRow])],
  providers: [AccountLimitsService, AccountQuotas],
  exports: [AccountLimitsService, AccountQuotas],
})
export class AccountLimitsModule {}
