import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Domain } from './domain.entity.js';
import { DomainsController } from './domains.controller.js';
import { DomainsService } from './domains.service.js';

/** `/v1/domains`. */
@Module({
  imports: [TypeOrmModule.forFeature([Domain])],
  providers: [DomainsService],
  controllers: [DomainsController],
})
export class DomainsModule {}
