import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountsModule } from '../accounts/accounts.module.js';
import { SubUser } from './sub-user.entity.js';
import { SubUsersController } from './sub-users.controller.js';
import { SubUsersService } from './sub-users.service.js';

/** `/v1/subusers`. */
@Module({
  imports: [TypeOrmModule.forFeature([SubUser]), AccountsModule],
  providers: [SubUsersService],
  controllers: [SubUsersController],
})
export class SubUsersModule {}
