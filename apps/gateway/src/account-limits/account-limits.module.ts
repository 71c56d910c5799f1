import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountLimitRow } from './account-limit.entity.js';
import { AccountLimitsService } from './account-limits.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([AccountLimitRow])],
  providers: [AccountLimitsService],
  exports: [AccountLimitsService],
})
export class AccountLimitsModule {}
