import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Account } from './account.entity.js';
import { AccountsService } from './accounts.service.js';
import { ApiKey } from './api-key.entity.js';
import { ApiKeysService } from './api-keys.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([Account, ApiKey])],
  providers: [AccountsService, ApiKeysService],
  exports: [AccountsService, ApiKeysService],
})
export class AccountsModule {}
