import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountEntitlement } from './account-entitlement.entity.js';
import { EntitlementsService } from './entitlements.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([AccountEntitlement])],
  providers: [EntitlementsService],
  exports: [EntitlementsService],
})
export class EntitlementsModule {}
