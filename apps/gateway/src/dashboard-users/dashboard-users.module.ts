import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DashboardUser } from './dashboard-user.entity.js';
import { DashboardUsersService } from './dashboard-users.service.js';
import { PasswordResets } from './password-resets.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([DashboardUser])],
  providers: [DashboardUsersService, PasswordResets],
  exports: [DashboardUsersService, PasswordResets],
})
export class DashboardUsersModule {}
