import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountLimitsModule } from '../account-limits/account-limits.module.js';
import { AccountsModule } from '../accounts/accounts.module.js';
import { SubUser } from './sub-user.entity.js';
import { SubUsersController } from './sub-users.controller.js';
import { SubUsersService } from './sub-users.service.js';

/** `/v1/subusers`. */
@Module({
  imports: [TypeOrmModule.forFeature([SubUser]), AccountLimitsModule, AccountsModule],
  providers: [SubUsersService],
  controllers: [SubUsersController],
})
export class SubUsersModule {}
