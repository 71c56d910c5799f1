import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountLimitsModule } from '../account-limits/account-limits.module.js';
import { DisposableKey } from './disposable-key.entity.js';
import { DisposableKeysController } from './disposable-keys.controller.js';
import { DisposableKeysService } from './disposable-keys.service.js';
import { KeyUsageService } from './key-usage.service.js';

/** `/v1/disposable-keys`. */
@Module({
  imports: [TypeOrmModule.forFeature([DisposableKey]), AccountLimitsModule],
  providers: [DisposableKeysService, KeyUsageService],
  controllers: [DisposableKeysController],
  exports: [DisposableKeysService, KeyUsageService],
})
export class DisposableKeysModule {}
