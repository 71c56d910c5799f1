import { Module } from '@nestjs/common';
import { APP_INTERCEPTOR } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditEntry } from './audit-entry.entity.js';
import { AuditLog } from './audit-log.service.js';
import { AdminAuditController, AuditController } from './audit.controller.js';
import { AuditInterceptor } from './audit.interceptor.js';

/** The log of administrative actions. */
@Module({
  imports: [TypeOrmModule.forFeature([AuditEntry])],
  controllers: [AuditController, AdminAuditController],
  providers: [AuditLog, { provide: APP_INTERCEPTOR, useClass: AuditInterceptor }],
})
export class AuditModule {}
