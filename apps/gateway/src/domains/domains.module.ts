import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Domain } from './domain.entity.js';
import { DomainsService } from './domains.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([Domain])],
  providers: [DomainsService],
  exports: [DomainsService],
})
export class DomainsModule {}
